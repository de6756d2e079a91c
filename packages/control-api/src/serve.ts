import { join } from 'node:path';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { listen } from '@steward/service-kit/http/listen';
import { isLoopback } from '@steward/service-kit/http/loopback';
import { createServiceLogger, type Logger } from '@steward/service-kit/log/logger';
import { runUntilSignal, serviceStopLimitMs } from '@steward/service-kit/process/run-until-signal';
import { packageVersion } from '@steward/service-kit/process/version';
import { refused } from '@steward/shared/parsed';
import { buildApp } from './app.ts';
import { bridgeStopLimitMs, composeBridge } from './bridge/compose-bridge.ts';
import { gameDecides } from './bridge/questions/game-decides.ts';
import { chatLimitsOf } from './chat/chat-variables.ts';
import { type ControlApiConfiguration, variables } from './configuration.ts';
import { FarmOrigins } from './settings/farm-origins.ts';
import { Settings } from './settings/settings.ts';
import { SettingsFile } from './settings/settings-file.ts';
import { askForTicket } from './sidecar/app-ticket.ts';

/** Reads the configuration, composes the service and runs it until it is told to stop. */
export async function serve(): Promise<void> {
  const configuration = readConfiguration(variables, process.env);
  const logger = createServiceLogger('control-api', configuration, process.stdout);
  const version = packageVersion(import.meta.url);
  const origins = await FarmOrigins.load(join(configuration.STATE_DIR, 'farm-origins.json'), logger);
  const settings = await Settings.load(new SettingsFile(configuration.SETTINGS_PATH), logger, origins);
  const questions = {
    ...gameDecides,
    appTicket: () => appTicket(configuration),
    settings: () => settings.tell(),
  };
  const bridge = await composeBridge({ configuration, questions, version, log: logger });
  settings.attach(bridge);
  const app = await buildApp({
    key: configuration.API_KEY,
    browsers: {
      allowedOrigins: new Set(configuration.API_ALLOWED_ORIGINS),
      allowedHosts: new Set(configuration.API_ALLOWED_HOSTS),
    },
    trustedProxies: configuration.TRUSTED_PROXIES,
    bridge,
    settings,
    version,
    logger,
    now: () => new Date(),
    chatLimits: chatLimitsOf(configuration),
  });
  const stop = async (): Promise<void> => {
    // Requests in flight may wait for the game, so the game goes last.
    await app.close();
    await bridge.stop();
    await origins.written;
  };
  runUntilSignal({ stop, logger, limitMs: serviceStopLimitMs + bridgeStopLimitMs(configuration) });
  await bridge.start();
  if (configuration.API_ENABLED) await open(app, configuration, logger);
  else logger.info('API_ENABLED is false: the API does not listen');
}

async function appTicket({ PLATFORM_AUTH_URL: url, PLATFORM_AUTH_SECRET: secret }: ControlApiConfiguration) {
  if (url === undefined) return refused('PLATFORM_AUTH_URL is empty: players join by direct IP alone');
  return askForTicket({ url, secret });
}

async function open(
  app: Awaited<ReturnType<typeof buildApp>>,
  { API_HOST, API_PORT, API_KEY }: ControlApiConfiguration,
  logger: Logger,
): Promise<void> {
  await listen(app, { host: API_HOST, port: API_PORT, portVariable: 'API_PORT' });
  if (API_KEY === undefined && !isLoopback(API_HOST)) {
    logger.warn(
      'API_KEY is not set: everybody who reaches this port controls the server. Make a key with `openssl rand -base64 32`',
    );
  }
}
