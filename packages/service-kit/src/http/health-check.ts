import { OperatorError } from '../process/operator-error.ts';
import { askOnce } from './ask-once.ts';
import { urlHere } from './here.ts';

/** An answer that takes longer is as bad as none. */
const answerLimitMs = 2_000;

/** What a container's health check runs: fails unless the service on this machine answers 200. Resolves to the answer. */
export async function checkHealth(host: string, port: number): Promise<unknown> {
  const url = `${urlHere(host, port)}/health`;
  try {
    const { status, text } = await askOnce(url, answerLimitMs);
    if (status === 200) return JSON.parse(text);
    throw new OperatorError(`${url} answers ${status}`);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new OperatorError(`${url} does not answer: ${cause instanceof Error ? cause.message : cause}`);
  }
}
