import { readConfiguration } from '@steward/service-kit/configuration/read';
import { listen } from '@steward/service-kit/http/listen';
import { createLogger } from '@steward/service-kit/log/logger';
import { runUntilSignal } from '@steward/service-kit/process/run-until-signal';
import { buildApp } from './app.ts';
import { variables } from './configuration.ts';
import { noAccount } from './session/session-status.ts';

/** Reads the configuration, composes the service and runs it until it is told to stop. */
export async function serve(): Promise<void> {
  const { HOST, PORT, ...settings } = readConfiguration(variables, process.env);
  // The log goes to stderr in every command: stdout belongs to the values that some of them print.
  const logger = createLogger('platform-auth', settings, process.stderr);
  const app = buildApp({ sessionStatus: () => noAccount, logger, now: () => new Date() });
  runUntilSignal({ stop: () => app.close(), logger });
  await listen(app, { host: HOST, port: PORT, portVariable: 'PORT' });
  logger.warn({ state: noAccount.state }, `${noAccount.reason}. ${noAccount.remedy}`);
}
