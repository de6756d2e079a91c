import { type Clock, systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { isLoopback, listen } from '@steward/service-kit/http/addresses';
import { createLogger, type Logger } from '@steward/service-kit/log/logger';
import { tellReady } from '@steward/service-kit/log/ready-line';
import { collectSoon } from '@steward/service-kit/process/collector';
import { runUntilSignal } from '@steward/service-kit/process/ending';
import {
  type PlatformAuthConfiguration,
  secretsOf,
  variables,
  withLowerCaseProxies,
} from './configuration.ts';
import { backgroundDownload } from './download/background/apart-download.ts';
import { unknownLanguageWarning } from './download/filter/languages.ts';
import { existingPrefix } from './http/existing/existing-routes.ts';
import { composePlatform } from './platform/steam-platform.ts';
import { composeSidecar } from './sidecar.ts';
import { scrubbed } from './tokens/log-scrubbing.ts';

/**
 * Reads the configuration, composes the service and runs it until it is told to stop. The clock is that of its waits; what
 * is waited for on the network goes by the true one.
 */
export async function serve(clock: Clock = systemClock): Promise<void> {
  const configuration = readConfiguration(variables, withLowerCaseProxies(process.env));
  const { HOST, PORT } = configuration;
  const logger = serviceLogger(configuration);
  const platform = composePlatform('serve', configuration);
  const game = backgroundDownload(configuration, clock);
  for (const code of configuration.PLATFORM_KEEP_LANGUAGES.unknown) logger.warn(unknownLanguageWarning(code));
  const sidecar = composeSidecar({
    configuration,
    platform,
    game,
    clock,
    random: Math.random,
    logger,
    rests: collectSoon,
  });
  await sidecar.check();
  runUntilSignal({
    stop: () => sidecar.stop(),
    contain: sidecar.contain,
    logger,
  });
  await listen(sidecar.app, { host: HOST, port: PORT, hostVariable: 'HOST', portVariable: 'PORT' });
  if (configuration.PLATFORM_AUTH_SECRET === undefined && !isLoopback(HOST))
    logger.warn(
      'PLATFORM_AUTH_SECRET is not set: anyone who reaches this port gets app tickets. Make one with `openssl rand -base64 32`, or let only the game server reach the port',
    );
  if (configuration.PLATFORM_COMPAT === 'existing')
    logger.warn(
      `PLATFORM_COMPAT is existing: the paths below ${existingPrefix} need no secret and answer every caller on a private network; let only the game server reach the port`,
    );
  // On stdout, where panels look; a farm without an account has yet to be set up, and is as ready.
  tellReady(createLogger('platform-auth', configuration, process.stdout));
  await sidecar.start();
}

/** The log goes to stderr in every command: stdout belongs to the values that some of them print. */
function serviceLogger(configuration: PlatformAuthConfiguration): Logger {
  return createLogger('platform-auth', configuration, scrubbed(process.stderr, secretsOf(configuration)));
}
