import { OperatorError } from '../process/operator-error.ts';

/** An answer that takes longer is as bad as none. */
const answerLimitMs = 2_000;

const everyAddress = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
]);

/** What a container's health check runs: fails unless the service on this machine answers 200. Resolves to the answer. */
export async function checkHealth(host: string, port: number): Promise<unknown> {
  const url = `http://${everyAddress.get(host) ?? host}:${port}/health`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(answerLimitMs) });
    if (answer.ok) return await answer.json();
    throw new OperatorError(`${url} answers ${answer.status}`);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new OperatorError(`${url} does not answer: ${cause instanceof Error ? cause.message : cause}`);
  }
}
