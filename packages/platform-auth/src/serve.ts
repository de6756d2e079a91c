import { readConfiguration } from '@steward/service-kit/configuration/read';
import { listen } from '@steward/service-kit/http/listen';
import { isLoopback } from '@steward/service-kit/http/loopback';
import { createLogger, type Logger } from '@steward/service-kit/log/logger';
import { runUntilSignal } from '@steward/service-kit/process/run-until-signal';
import { type Clock, systemClock } from './clock.ts';
import {
  type PlatformAuthConfiguration,
  secretsOf,
  variables,
  withLowerCaseProxies,
} from './configuration.ts';
import { scrubbed } from './log-scrubbing.ts';
import { composePlatform } from './platform/compose-platform.ts';
import { composeSidecar } from './sidecar.ts';

/**
 * Reads the configuration, composes the service and runs it until it is told to stop. The clock is that of its waits; what
 * is waited for on the network goes by the true one.
 */
export async function serve(clock: Clock = systemClock): Promise<void> {
  const configuration = readConfiguration(variables, withLowerCaseProxies(process.env));
  const { HOST, PORT } = configuration;
  const logger = serviceLogger(configuration);
  const platform = composePlatform('serve', configuration);
  const sidecar = composeSidecar({ configuration, platform, clock, random: Math.random, logger });
  await sidecar.check();
  runUntilSignal({
    stop: () => sidecar.stop(),
    contain: sidecar.contain,
    logger,
  });
  await listen(sidecar.app, { host: HOST, port: PORT, portVariable: 'PORT' });
  if (configuration.PLATFORM_AUTH_SECRET === undefined && !isLoopback(HOST))
    logger.warn(
      'PLATFORM_AUTH_SECRET is not set: everybody who reaches this port gets app tickets. Make one with `openssl rand -base64 32`, or let only the game server reach the port',
    );
  await sidecar.start();
}

/** The log goes to stderr in every command: stdout belongs to the values that some of them print. */
function serviceLogger(configuration: PlatformAuthConfiguration): Logger {
  return createLogger('platform-auth', configuration, scrubbed(process.stderr, secretsOf(configuration)));
}
