import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@steward/service-kit/clock';
import type { SettledTime } from '@steward/service-kit/settled-time';
import { retention } from '../../game/operations/operation-index.ts';
import { factNames, factOf, keepFact } from '../tables/facts.ts';
import type { StoreProblem } from '../tables/store-error.ts';
import type { Writer } from '../writing/writer.ts';

/** Times that lie no further apart than this are one: a process takes a while to begin. */
const sameMs = 60_000;

/** When a database took the place of another, by a clock of which nobody knew at that time whether it was right. */
export interface KeysLost {
  readonly at: string;
  readonly isSure: boolean;
}

/** Notes it where a database begins that does not know what was sent before. */
export function noteKeysLost(database: DatabaseSync, at: Date): void {
  const value = at.toISOString();
  keepFact(database, { name: factNames.keysLostUnsure, value });
  keepFact(database, { name: factNames.keysLost, value });
}

export function keysLostIn(database: DatabaseSync): KeysLost | undefined {
  const at = factOf(database, factNames.keysLost);
  return at === undefined ? undefined : { at, isSure: factOf(database, factNames.keysLostUnsure) !== at };
}

export interface LostKeysParts {
  readonly clock: Pick<Clock, 'now' | 'date'>;
  readonly settled: SettledTime;
  readonly writer: Pick<Writer, 'write'>;
}

/**
 * Keys that another database knew, which was lost at that time, may come again for as long as they would have been known. What a wrong
 * clock has noted is set right as soon as the clock is known to be right; until then, and while a clock was just set, none counts as new.
 */
export class LostKeys {
  readonly #parts: LostKeysParts;
  readonly #begun: number;
  #at: number;
  #isSure: boolean;
  #isOver: boolean;
  #problem: StoreProblem;

  constructor({ at, isSure }: KeysLost, parts: LostKeysParts) {
    this.#parts = parts;
    this.#begun = parts.clock.now();
    this.#at = Date.parse(at);
    this.#isSure = isSure;
    // Else every start would refuse keys for ten minutes, however long ago they were lost.
    this.#isOver = isSure && this.#isPast;
    this.#problem = problemSince(this.#at);
  }

  /** The same object for as long as it is the same problem. */
  get problem(): StoreProblem | undefined {
    if (this.#parts.settled.isSettled()) {
      if (this.#isDoubtful) this.#setRight();
      this.#isOver = this.#isPast;
    }
    return this.#isOver ? undefined : this.#problem;
  }

  get #isPast(): boolean {
    return this.#parts.clock.date().getTime() >= this.#at + retention.ms;
  }

  /** A time to come is no time at which something was lost, whoever noted it. */
  get #isDoubtful(): boolean {
    return !this.#isSure || this.#at > this.#parts.settled.now();
  }

  /** At the latest it was when this process began. */
  #setRight(): void {
    const { clock, settled } = this.#parts;
    const latest = Math.round(settled.now() - (clock.now() - this.#begun));
    this.#isSure = true;
    // One write in either case: between two, a kill could leave the wrong time as one that is sure.
    if (Math.abs(latest - this.#at) < sameMs) {
      this.#keep(factNames.keysLostUnsure, '');
    } else {
      this.#at = latest;
      this.#problem = problemSince(latest);
      this.#keep(factNames.keysLost, new Date(latest).toISOString());
    }
  }

  /** Where it cannot be kept, which others say, the next process does it again. */
  #keep(name: typeof factNames.keysLost | typeof factNames.keysLostUnsure, value: string): void {
    this.#parts.writer.write({ kind: 'fact', name, value }, 'late').catch(() => {});
  }
}

function problemSince(at: number): StoreProblem {
  const since = new Date(at);
  const until = new Date(at + retention.ms);
  return {
    code: 'state-unreadable',
    reason: `The database was created again, or restored from a backup, on ${since.toISOString()}, so the keys that were sent before are unknown`,
    remedy: `Send requests that cannot be retries without an Idempotency-Key; keys work again from ${until.toISOString()}`,
    since,
  };
}
