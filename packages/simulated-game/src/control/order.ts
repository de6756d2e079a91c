import { parseArgs } from 'node:util';
import type { Farm } from '../farm/farm.ts';
import type { RunningFarm } from '../program/running-farm.ts';
import { howToOrder } from './order-line.ts';

/** What an order can do with a running farm. */
export interface Controls {
  readonly running: RunningFarm;
  readonly crash: () => void;
}

/** The other end of an order: whoever typed it. */
export interface Caller {
  print(line: string): void;
  /** The order has been carried out. */
  done(): void;
  /** It came to nothing; what was printed says why. */
  failed(): void;
  /** Runs when the caller goes away before the end. */
  onGone(action: () => void): void;
}

/** One thing that can be asked of a running farm. Words that cannot be understood are an `UnclearOrder`. */
export interface Order {
  readonly usage: string;
  readonly summary: string;
  run(controls: Controls, words: readonly string[], caller: Caller): void;
}

/** Why an order is not carried out, for whoever typed it. */
export class OrderError extends Error {}

/** Nobody could carry it out: its words are wrong, whatever the farm is doing. */
export class UnclearOrder extends OrderError {}

export function openFarm({ running }: Controls): Farm {
  if (running.farm !== undefined) return running.farm;
  throw new OrderError('the farm opens with its first connection to the control API, and has none yet');
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

/** Splits an order's words into options and the rest; an unknown option is an error that names it. */
export function readWords<const Known extends Options>(words: readonly string[], options: Known) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UnclearOrder(error instanceof Error ? error.message : String(error));
  }
}

export function oneName(positionals: readonly string[], usage: string): string {
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UnclearOrder(`usage: ${howToOrder} ${usage}`);
  return name;
}

/** Seconds from the first word, or the fallback; in milliseconds. */
export function seconds(word: string | undefined, fallback: number): number {
  if (word === undefined) return fallback * 1000;
  if (/^[0-9]{1,6}$/.test(word) && Number(word) > 0) return Number(word) * 1000;
  throw new UnclearOrder(`"${word}" is not a number of seconds`);
}
