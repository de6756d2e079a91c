import { askOnce } from '@steward/service-kit/http/asking';
import { OperatorError } from '@steward/service-kit/process/errors';
import { type Entrance, loopbackEntrance } from '../transport/entrance.ts';

/** An answer that takes longer is as bad as none. */
const answerLimitMs = 2_000;
/** What its proxy says to a request that is for no proxy. */
const proxyAnswers = 405;

/** What a container's health check runs: fails unless an emulator on this machine answers on the port. */
export async function check({ port }: Entrance): Promise<void> {
  const url = `http://${loopbackEntrance.host}:${port}/`;
  const answer = await askOnce(url, answerLimitMs).catch(() => undefined);
  if (answer?.status !== proxyAnswers) throw new OperatorError(`no emulator answers at ${url}`);
}
