import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Dice } from '../chaos/dice.ts';
import { key } from '../chaos/programs.ts';
import { randomChange } from './changes.ts';

/** Below the limit of writes from one address, retries included. */
const betweenMs = 700;
const againMs = 500;
const patienceMs = 20_000;
/** After a storm everything is back within 45 s; whoever asks again until then has an answer. */
const settledWithinMs = 90_000;
const replayChance = 0.3;

const answer = z.object({
  operationId: z.string().optional(),
  code: z.string().optional(),
  applied: z.boolean().nullable().optional(),
});

const settled = ['applied', 'refused', 'void'];

interface Reply {
  readonly status: number;
  readonly body: z.infer<typeof answer>;
}

/** Changes one thing after the other, each under a key of its own, and asks until it knows what became of it. */
export class Script {
  readonly violations: string[] = [];
  readonly outcomes: Record<string, number> = {};
  retries = 0;
  replays = 0;
  readonly #name: string;
  readonly #origin: string;
  readonly #dice: Dice;
  readonly #address: string;
  #stopped = false;
  readonly #patience = new AbortController();
  #changes = 0;
  readonly #working: Promise<void>;

  constructor(index: number, port: number, dice: Dice) {
    this.#name = `script${index}`;
    this.#origin = `http://127.0.0.1:${port}`;
    this.#address = `10.0.0.${index + 1}`;
    this.#dice = dice;
    this.#working = this.#work();
  }

  get changes(): number {
    return this.#changes;
  }

  /** Resolves when it knows the outcome of the last thing that it began. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  abandon(): void {
    this.#stopped = true;
    this.#patience.abort();
  }

  async #work(): Promise<void> {
    while (!this.#stopped) {
      this.#changes += 1;
      const change = randomChange(this.#dice);
      const idempotencyKey = `${this.#name}-${this.#changes}`;
      const outcome = await this.#until(change, idempotencyKey);
      if (outcome === undefined) this.violations.push(`${idempotencyKey} ${change} has no outcome`);
      else if (outcome.status === 200 && this.#dice.next() < replayChance)
        await this.#replay(change, idempotencyKey, outcome);
      await pause(betweenMs);
    }
  }

  /** Sends it until there is an answer that says what became of it. */
  async #until(change: string, idempotencyKey: string): Promise<Reply | undefined> {
    const deadline = performance.now() + settledWithinMs;
    while (performance.now() < deadline && !this.#patience.signal.aborted) {
      const reply = await this.#send(change, idempotencyKey);
      const { status, body } = reply ?? {};
      if (reply !== undefined && body?.applied === null) return this.#settled(reply, deadline);
      if (reply !== undefined && status !== 503 && status !== 429) return this.#count(reply);
      this.retries += 1;
      await pause(againMs);
    }
    return undefined;
  }

  /** It may have been applied: whether it was is told in time. */
  async #settled(reply: Reply, deadline: number): Promise<Reply | undefined> {
    while (performance.now() < deadline && !this.#patience.signal.aborted) {
      const state = await this.#stateOf(reply.body.operationId ?? '');
      if (state !== undefined && settled.includes(state))
        return this.#count({ status: 504, body: { ...reply.body, code: `unknown, then ${state}` } });
      await pause(againMs);
    }
    return undefined;
  }

  /** The same request under the same key is the same operation. */
  async #replay(change: string, idempotencyKey: string, first: Reply): Promise<void> {
    const again = await this.#until(change, idempotencyKey);
    this.replays += 1;
    if (again?.status === 200 && again.body.operationId === first.body.operationId) return;
    this.violations.push(
      `${idempotencyKey} ${change} was ${JSON.stringify(first)}, and sent again ${JSON.stringify(again)}`,
    );
  }

  #count(reply: Reply): Reply {
    const name = reply.body.code === undefined ? String(reply.status) : `${reply.status} ${reply.body.code}`;
    this.outcomes[name] = (this.outcomes[name] ?? 0) + 1;
    if (reply.status === 401 || reply.status === 400 || reply.body.code === 'internal-error')
      this.violations.push(`${this.#name} was answered ${JSON.stringify(reply)}`);
    return reply;
  }

  async #send(change: string, idempotencyKey: string): Promise<Reply | undefined> {
    const [method = '', path = ''] = change.split(' ');
    return this.#ask(path, { method, headers: { 'idempotency-key': idempotencyKey } });
  }

  async #stateOf(id: string): Promise<string | undefined> {
    const state = z.object({ state: z.string() });
    const text = await this.#text(`/operations/${id}`, {});
    return text === undefined ? undefined : state.safeParse(JSON.parse(text.text)).data?.state;
  }

  async #ask(path: string, init: RequestInit): Promise<Reply | undefined> {
    const text = await this.#text(path, init);
    return text === undefined
      ? undefined
      : { status: text.status, body: answer.parse(JSON.parse(text.text)) };
  }

  async #text(path: string, init: RequestInit): Promise<{ status: number; text: string } | undefined> {
    const headers = { ...init.headers, authorization: `Bearer ${key}`, 'x-forwarded-for': this.#address };
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), this.#patience.signal]);
      const reply = await fetch(`${this.#origin}${path}`, { ...init, headers, signal });
      return { status: reply.status, text: await reply.text() };
    } catch {
      return undefined;
    }
  }
}
