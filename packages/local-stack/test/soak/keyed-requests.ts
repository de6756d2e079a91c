import { type Farm, type Problem, StewardError, steward } from '@steward/client';
import type { Change } from './changes.ts';

const patienceMs = 20_000;

/** What a change was answered with. */
export interface Reply {
  readonly status: number;
  readonly body: Partial<Pick<Problem, 'code' | 'operationId' | 'applied'>>;
}

/** One script's way to the API, from an address of its own. It asks again by itself, under the same key. */
export class KeyedRequests {
  readonly #farm: Farm;
  readonly #given = new AbortController();

  constructor(port: number, address: string, key: string) {
    this.#farm = steward({
      url: `http://127.0.0.1:${port}`,
      key,
      timeoutMs: patienceMs,
      retries: 0,
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { ...(init?.headers as object), 'x-forwarded-for': address } }),
    });
  }

  get isGivenUp(): boolean {
    return this.#given.signal.aborted;
  }

  giveUp(): void {
    this.#given.abort();
  }

  /** Undefined where there was no answer. */
  async send({ ask }: Change, idempotencyKey: string): Promise<Reply | undefined> {
    try {
      return { status: 200, body: await ask(this.#farm, { idempotencyKey, signal: this.#given.signal }) };
    } catch (error) {
      const problem = problemOf(error);
      return problem && { status: problem.status, body: problem };
    }
  }

  async stateOf(id: string): Promise<string | undefined> {
    try {
      return (await this.#farm.getOperation({ id }, { signal: this.#given.signal })).state;
    } catch (error) {
      problemOf(error);
      return undefined;
    }
  }
}

/** What the API said of an error; undefined where nothing came of it. Nobody else answers here. */
function problemOf(error: unknown): Problem | undefined {
  if (!(error instanceof StewardError) || error.code === 'not-steward') throw error;
  return error.problem;
}
