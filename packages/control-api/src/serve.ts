import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Clock, systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { urlHere } from '@steward/service-kit/http/here';
import { listen } from '@steward/service-kit/http/listen';
import { isLoopback } from '@steward/service-kit/http/loopback';
import { createServiceLogger, type Logger } from '@steward/service-kit/log/logger';
import { runUntilSignal, serviceStopLimitMs } from '@steward/service-kit/process/run-until-signal';
import { packageVersion } from '@steward/service-kit/process/version';
import { chatLimitsOf } from './chat/chat-variables.ts';
import { bridgeStopLimitMs, composeBridge } from './compose-bridge.ts';
import { type ControlApiConfiguration, variables } from './configuration.ts';
import { buildApp } from './http/app.ts';
import { InviteWay } from './invites/invite-way.ts';
import { TicketDesk } from './invites/ticket-desk.ts';
import { Ownership } from './ownership/ownership.ts';
import { OwnershipFile } from './ownership/ownership-file.ts';
import { FarmOrigins } from './settings/farm-origins.ts';
import { Settings } from './settings/settings.ts';
import { SettingsFile } from './settings/settings-file.ts';
import { SidecarClient } from './sidecar/sidecar-client.ts';
import { StateDirectory } from './store/state-directory.ts';
import { UnreadFiles } from './store/unread-files.ts';

/**
 * Reads the configuration, composes the service and runs it until it is told to stop. `waits` is the clock of its pauses;
 * what is waited for on a wire goes by the true one.
 */
export async function serve(waits: Clock = systemClock): Promise<void> {
  const configuration = readConfiguration(variables, process.env);
  const logger = createServiceLogger('control-api', configuration, process.stdout);
  const version = packageVersion(import.meta.url);
  const unread = new UnreadFiles(logger);
  const disk = new StateDirectory({ path: configuration.STATE_DIR, clock: systemClock, log: logger });
  const origins = await FarmOrigins.load(join(configuration.STATE_DIR, 'farm-origins.json'), logger, unread);
  const settingsFile = new SettingsFile(configuration.SETTINGS_PATH);
  // The existing server has a settings file of its own, which is not ours to read or to make.
  const settings =
    configuration.GAME_BRIDGE === 'existing'
      ? Settings.unread(settingsFile, logger)
      : await Settings.load(settingsFile, logger, origins);
  // For a line in the log that somebody on this machine may paste into a shell.
  const own = { url: urlHere(configuration.API_HOST, configuration.API_PORT) };
  const ownership = new Ownership({
    file: new OwnershipFile(join(configuration.STATE_DIR, 'farms')),
    clock: systemClock,
    log: logger,
    isEnforced: () => settings.view.effective.server.enforceFarmhandOwnership,
    address: () => ({ url: own.url, hasKey: configuration.API_KEY !== undefined }),
  });
  const sidecar = sidecarOf(configuration, waits);
  const tickets = new TicketDesk(sidecar);
  const questions = {
    ...ownership.questions,
    appTicket: () => tickets.ask(),
    settings: () => settings.tell(),
  };
  const bridge = await composeBridge({ configuration, questions, version, log: logger, waits, unread, disk });
  settings.attach(bridge);
  ownership.attach(bridge);
  const inviteWay = new InviteWay({
    ...{ bridge, sidecar, tickets },
    ...{ clock: waits, random: Math.random, log: logger },
  });
  const app = await buildApp({
    key: configuration.API_KEY,
    browsers: {
      allowedOrigins: new Set(configuration.API_ALLOWED_ORIGINS),
      allowedHosts: new Set(configuration.API_ALLOWED_HOSTS),
    },
    trustedProxies: configuration.TRUSTED_PROXIES,
    bridge,
    inviteWay,
    settings,
    ownership,
    unread,
    disk,
    version,
    logger,
    clock: systemClock,
    chatLimits: chatLimitsOf(configuration),
  });
  const stop = async (): Promise<void> => {
    // Requests in flight may wait for the game, so the game goes last.
    await app.close();
    inviteWay.stop();
    await disk.stop();
    await bridge.stop();
    // What the game said last is still on its way to the disk.
    await Promise.all([ownership.close(), settings.close(), origins.written]);
  };
  runUntilSignal({ stop, logger, limitMs: serviceStopLimitMs + bridgeStopLimitMs(configuration) });
  await bridge.start();
  disk.start();
  if (configuration.API_ENABLED) {
    try {
      await open(app, configuration, logger);
    } catch (error) {
      // A game that runs already would outlive this process, and meet the next one's game.
      await stop().catch((cause) => logger.error({ err: cause }, 'what had begun could not be stopped'));
      throw error;
    }
    const { port } = app.server.address() as AddressInfo;
    own.url = urlHere(configuration.API_HOST, port);
  } else logger.info('API_ENABLED is false: the API does not listen');
  // Asking the sidecar loads Node's fetch, for which nobody who asks this service has to wait.
  inviteWay.start();
}

function sidecarOf(configuration: ControlApiConfiguration, waits: Clock): SidecarClient | undefined {
  const { PLATFORM_AUTH_URL: url, PLATFORM_AUTH_SECRET: secret } = configuration;
  if (url === undefined) return undefined;
  return new SidecarClient({ url, secret, clock: systemClock, waits, random: Math.random });
}

async function open(
  app: Awaited<ReturnType<typeof buildApp>>,
  { API_HOST, API_PORT, API_KEY }: ControlApiConfiguration,
  logger: Logger,
): Promise<void> {
  await listen(app, {
    host: API_HOST,
    port: API_PORT,
    hostVariable: 'API_HOST',
    portVariable: 'API_PORT',
  });
  if (API_KEY === undefined && !isLoopback(API_HOST)) {
    logger.warn(
      'API_KEY is not set: everybody who reaches this port controls the server. Make a key with `openssl rand -base64 32`',
    );
  }
}
