import { z } from 'zod';
import { key } from '../chaos/programs.ts';

const patienceMs = 20_000;

const answer = z.object({
  operationId: z.string().optional(),
  code: z.string().optional(),
  applied: z.boolean().nullable().optional(),
});

const operation = z.object({ state: z.string() });

/** What a change was answered with. */
export interface Reply {
  readonly status: number;
  readonly body: z.infer<typeof answer>;
}

/** One script's way to the API, from an address of its own. */
export class KeyedRequests {
  readonly #origin: string;
  readonly #address: string;
  readonly #given = new AbortController();

  constructor(port: number, address: string) {
    this.#origin = `http://127.0.0.1:${port}`;
    this.#address = address;
  }

  get isGivenUp(): boolean {
    return this.#given.signal.aborted;
  }

  giveUp(): void {
    this.#given.abort();
  }

  /** `change` is a method and a path; undefined where there was no answer. */
  async send(change: string, idempotencyKey: string): Promise<Reply | undefined> {
    const [method = '', path = ''] = change.split(' ');
    const reply = await this.#ask(path, { method, headers: { 'idempotency-key': idempotencyKey } });
    return reply && { status: reply.status, body: answer.parse(JSON.parse(reply.text)) };
  }

  async stateOf(operationId: string): Promise<string | undefined> {
    const reply = await this.#ask(`/operations/${operationId}`, {});
    return reply && operation.safeParse(JSON.parse(reply.text)).data?.state;
  }

  async #ask(path: string, init: RequestInit): Promise<{ status: number; text: string } | undefined> {
    const headers = { ...init.headers, authorization: `Bearer ${key}`, 'x-forwarded-for': this.#address };
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), this.#given.signal]);
      const reply = await fetch(`${this.#origin}${path}`, { ...init, headers, signal });
      return { status: reply.status, text: await reply.text() };
    } catch {
      return undefined;
    }
  }
}
