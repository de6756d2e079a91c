import { type Clock, systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { isLoopback, listen, urlHere } from '@steward/service-kit/http/addresses';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { createServiceLogger, type Logger } from '@steward/service-kit/log/logger';
import { tellReady } from '@steward/service-kit/log/ready-line';
import { collectSoon } from '@steward/service-kit/process/collector';
import { runUntilSignal, serviceStopLimitMs } from '@steward/service-kit/process/ending';
import { packageVersion } from '@steward/service-kit/process/package-file';
import { bridgeStopLimitMs } from './compose/bridge.ts';
import { type ControlApiConfiguration, variables } from './configuration.ts';
import { leaveThreadsTheirLimits } from './entries.ts';
import { composeService } from './service.ts';
import type { Service } from './service-parts.ts';

/** How long it takes to stop at the most: players are seen off, the service ends, and its game. */
export function stopLimitMs(configuration: ControlApiConfiguration): number {
  return configuration.STOP_DRAIN_SECONDS * 1_000 + serviceStopLimitMs + bridgeStopLimitMs(configuration);
}

/** Reads the configuration, composes the service and runs it until it is told to stop. `retryClock` is that of the pauses between tries. */
export async function serve(retryClock: Clock = systemClock): Promise<void> {
  const configuration = readConfiguration(variables, process.env);
  const logger = createServiceLogger('control-api', configuration, process.stdout);
  leaveThreadsTheirLimits();
  const service = await composeService({
    configuration,
    logger,
    retryClock,
    clock: systemClock,
    random: Math.random,
    version: packageVersion(import.meta.url),
  });
  const { app } = service;
  const { STOP_DRAIN_SECONDS } = configuration;
  const stop = () => service.stop(STOP_DRAIN_SECONDS);
  runUntilSignal({
    stop,
    logger,
    limitMs: stopLimitMs(configuration),
  });
  await service.start();
  if (configuration.API_ENABLED) {
    try {
      await open(app, configuration);
      await openPage(service, configuration, logger);
      warnIfOpen(configuration, logger);
    } catch (error) {
      // A game that runs already would outlive this process, and meet the next one's game.
      await stop().catch((cause) => logger.error({ err: cause }, 'some parts could not be stopped'));
      throw error;
    }
  } else logger.info('API_ENABLED is false: the API does not listen');
  service.watch();
  tellReady(logger);
  collectSoon();
}

async function openPage(
  { dashboard }: Service,
  { API_HOST, DASHBOARD_HOST, DASHBOARD_PORT = 0 }: ControlApiConfiguration,
  logger: Logger,
): Promise<void> {
  if (dashboard === undefined) return;
  const host = DASHBOARD_HOST || API_HOST;
  await listen(
    {
      listen: async ({ listenTextResolver }) => {
        const port = await dashboard.listen(host, DASHBOARD_PORT);
        const where = listenTextResolver(urlHere(host, port));
        logger.info({}, `the page is ${where}`);
        return where;
      },
    },
    { host, port: DASHBOARD_PORT, hostVariable: 'DASHBOARD_HOST', portVariable: 'DASHBOARD_PORT' },
  );
}

async function open(app: HttpServer, { API_HOST, API_PORT }: ControlApiConfiguration): Promise<void> {
  await listen(app, {
    host: API_HOST,
    port: API_PORT,
    hostVariable: 'API_HOST',
    portVariable: 'API_PORT',
  });
}

/** The page's port answers the whole API, too. */
function warnIfOpen(
  { API_HOST, API_KEY, DASHBOARD_HOST, DASHBOARD_PORT }: ControlApiConfiguration,
  logger: Logger,
): void {
  const hosts = DASHBOARD_PORT === undefined ? [API_HOST] : [API_HOST, DASHBOARD_HOST || API_HOST];
  if (API_KEY !== undefined || hosts.every(isLoopback)) return;
  logger.warn(
    'API_KEY is not set: anyone who reaches this port controls the server. Make a key with `openssl rand -base64 32`',
  );
}
