import { setTimeout as pause } from 'node:timers/promises';
import type { Dice } from '../chaos/dice.ts';
import type { AuditBook } from '../house/audit-book.ts';
import { type Change, randomChange } from './changes.ts';
import { KeyedRequests, type Reply } from './keyed-requests.ts';

/** Below the limit of writes from one address, retries included. */
const betweenMs = 700;
const againMs = 500;
/** After a storm everything is back within 45 s; whoever asks again until then has an answer. */
const settledWithinMs = 90_000;
const replayChance = 0.3;

const settled = ['applied', 'refused', 'void'];
/** Nothing was done yet, and the key is free: it is sent again. */
const notNow = [503, 429];

export interface ScriptParts {
  readonly port: number;
  readonly key: string;
  /** Where all that it has done is written down. */
  readonly book: AuditBook;
}

/** Changes one thing after the other, each under a key of its own, and asks until it knows what became of it. */
export class Script {
  readonly violations: string[] = [];
  readonly outcomes: Record<string, number> = {};
  changes = 0;
  retries = 0;
  replays = 0;
  readonly #name: string;
  readonly #book: AuditBook;
  readonly #requests: KeyedRequests;
  readonly #dice: Dice;
  #stopped = false;
  readonly #working: Promise<void>;

  constructor(index: number, { port, key, book }: ScriptParts, dice: Dice) {
    this.#name = `script${index}`;
    this.#book = book;
    this.#requests = new KeyedRequests(port, `10.0.0.${index + 1}`, key);
    this.#dice = dice;
    this.#working = this.#work();
  }

  /** Resolves when it knows the outcome of the last thing that it began. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  abandon(): void {
    this.#stopped = true;
    this.#requests.giveUp();
  }

  async #work(): Promise<void> {
    while (!this.#stopped) {
      this.changes += 1;
      const change = randomChange(this.#dice);
      const idempotencyKey = `${this.#name}-${this.changes}`;
      const outcome = await this.#until(change, idempotencyKey);
      if (outcome === undefined) this.violations.push(`${idempotencyKey} ${change.text} has no outcome`);
      else this.#wasDone(change, outcome);
      if (outcome?.status === 200 && isOperation(outcome) && this.#dice.next() < replayChance)
        await this.#replay(change, idempotencyKey, outcome);
      await pause(betweenMs);
    }
  }

  #wasDone({ text }: Change, { status, body }: Reply): void {
    if (status === 200 || body.code === settledAs('applied'))
      this.#book.did('scripts', text, body.operationId);
  }

  /** Sends it until there is an answer that says what became of it. */
  async #until(change: Change, idempotencyKey: string): Promise<Reply | undefined> {
    const deadline = performance.now() + settledWithinMs;
    while (performance.now() < deadline && !this.#requests.isGivenUp) {
      const reply = await this.#requests.send(change, idempotencyKey);
      if (reply?.body.applied === null) return this.#settled(reply, deadline);
      if (reply !== undefined && !notNow.includes(reply.status)) return this.#count(reply);
      this.retries += 1;
      await pause(againMs);
    }
    return undefined;
  }

  /** It may have been applied: whether it was is told in time. */
  async #settled({ body }: Reply, deadline: number): Promise<Reply | undefined> {
    while (performance.now() < deadline && !this.#requests.isGivenUp) {
      const state = await this.#requests.stateOf(body.operationId ?? '');
      if (state !== undefined && settled.includes(state))
        return this.#count({ status: 504, body: { ...body, code: settledAs(state) } });
      await pause(againMs);
    }
    return undefined;
  }

  /** The same request under the same key is the same operation. */
  async #replay(change: Change, idempotencyKey: string, first: Reply): Promise<void> {
    const again = await this.#until(change, idempotencyKey);
    this.replays += 1;
    if (again?.status === 200 && again.body.operationId === first.body.operationId) return;
    this.violations.push(
      `${idempotencyKey} ${change.text} was ${JSON.stringify(first)}, and sent again ${JSON.stringify(again)}`,
    );
  }

  #count(reply: Reply): Reply {
    const { status, body } = reply;
    const name = body.code === undefined ? String(status) : `${status} ${body.code}`;
    this.outcomes[name] = (this.outcomes[name] ?? 0) + 1;
    if (status === 401 || status === 400 || body.code === 'internal-error')
      this.violations.push(`${this.#name} was answered ${JSON.stringify(reply)}`);
    return reply;
  }
}

function settledAs(state: string): string {
  return `unknown, then ${state}`;
}

/** A dry run is none: it tells again how things are. */
function isOperation({ body }: Reply): boolean {
  return body.operationId !== undefined;
}
