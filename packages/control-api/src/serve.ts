import { readConfiguration } from '@steward/service-kit/configuration/read';
import { listen } from '@steward/service-kit/http/listen';
import { isLoopback } from '@steward/service-kit/http/loopback';
import { createLogger, type Logger } from '@steward/service-kit/log/logger';
import { runUntilSignal, serviceStopLimitMs } from '@steward/service-kit/process/run-until-signal';
import { packageVersion } from '@steward/service-kit/process/version';
import { buildApp } from './app.ts';
import { bridgeStopLimitMs, composeBridge } from './bridge/compose-bridge.ts';
import { gameDecides } from './bridge/questions/game-decides.ts';
import { type ControlApiConfiguration, variables } from './configuration.ts';

/** Reads the configuration, composes the service and runs it until it is told to stop. */
export async function serve(): Promise<void> {
  const configuration = readConfiguration(variables, process.env);
  const logger = createLogger('control-api', configuration, process.stdout);
  const version = packageVersion(import.meta.url);
  const bridge = await composeBridge({ configuration, questions: gameDecides, version, log: logger });
  const app = await buildApp({
    key: configuration.API_KEY,
    version,
    logger,
    now: () => new Date(),
    bridge,
  });
  const stop = async (): Promise<void> => {
    // Requests in flight may still wait for the game.
    await app.close();
    await bridge.stop();
  };
  runUntilSignal({ stop, logger, limitMs: serviceStopLimitMs + bridgeStopLimitMs(configuration) });
  await bridge.start();
  if (configuration.API_ENABLED) await open(app, configuration, logger);
  else logger.info('API_ENABLED is false: the API does not listen');
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
