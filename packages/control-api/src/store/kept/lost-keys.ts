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
  readonly #found: number;
  readonly #isSure: boolean;
  /** What is written down as sure. */
  #noted: number | undefined;
  #at: number;
  #isOver: boolean;
  #problem: StoreProblem;

  constructor({ at, isSure }: KeysLost, parts: LostKeysParts) {
    this.#parts = parts;
    this.#begun = parts.clock.now();
    this.#found = Date.parse(at);
    this.#isSure = isSure;
    this.#noted = isSure ? this.#found : undefined;
    this.#at = this.#found;
    // Else every start would refuse keys for ten minutes, however long ago they were lost.
    this.#isOver = isSure && this.#isPast(parts.clock.date().getTime());
    this.#problem = problemSince(this.#at);
  }

  /** The same object for as long as it is the same problem. */
  get problem(): StoreProblem | undefined {
    const now = this.#parts.settled.now();
    if (now > Number.NEGATIVE_INFINITY) {
      this.#setRight(now);
      this.#isOver = this.#isPast(now);
    }
    return this.#isOver ? undefined : this.#problem;
  }

  #isPast(now: number): boolean {
    return now >= this.#at + retention.ms;
  }

  /** A time to come is none at which something was lost, whoever noted it: at the latest it was lost when this process began. */
  #setRight(now: number): void {
    const isKnown = this.#isSure && this.#found <= now;
    const at = isKnown ? this.#found : Math.round(now - (this.#parts.clock.now() - this.#begun));
    if (Math.abs(at - this.#at) >= sameMs) {
      this.#at = at;
      this.#problem = problemSince(at);
    }
    if (this.#noted === this.#at) return;
    const isAsFound = this.#noted === undefined && this.#at === this.#found;
    this.#noted = this.#at;
    // One write in either case: between two, a kill could leave the wrong time as one that is sure.
    if (isAsFound) this.#keep(factNames.keysLostUnsure, '');
    else this.#keep(factNames.keysLost, new Date(this.#at).toISOString());
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
