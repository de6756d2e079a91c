import { readConfiguration } from '@steward/service-kit/configuration/read';
import { checkHealth } from '@steward/service-kit/http/asking';
import { OperatorError } from '@steward/service-kit/process/errors';
import { troubleText } from '@steward/shared/problems/trouble';
import { sidecarHealth } from '@steward/shared/sidecar/health';
import { variables } from '../configuration.ts';
import { exitCodes } from './run/exit-codes.ts';

/** Fails unless the service on this machine answers and, where that is asked, holds a platform session. */
export async function healthcheck(flags: ReadonlySet<string>): Promise<number> {
  const { HOST, PORT } = readConfiguration(variables, process.env);
  const answer = await checkHealth(HOST, PORT);
  if (flags.has('ready')) checkReady(answer);
  return exitCodes.ok.code;
}

function checkReady(answer: unknown): void {
  const health = sidecarHealth.safeParse(answer);
  if (!health.success) throw new OperatorError('Another program answers there, not platform-auth');
  const { logged_in, session } = health.data;
  if (logged_in) return;
  throw new OperatorError(`Not logged in: ${troubleText(session)}`);
}
