import type { Farm } from '../farm/farm.ts';
import type { RunningFarm } from '../program/running-farm.ts';

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
  throw new OrderError(
    'the farm opens with its first connection to the control API, which has not been made yet',
  );
}
