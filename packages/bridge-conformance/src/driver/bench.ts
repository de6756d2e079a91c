import type { Readable, Writable } from 'node:stream';

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  readonly end: () => void;
  /** Lines that are no messages may come between them. */
  readonly strayLines: boolean;
}

/** A way to a game, again and again. */
export interface Bench {
  readonly mode: 'listen' | 'spawn';
  readonly where: string;
  readonly secret: string | undefined;
  /** The next connection; undefined when none comes in time. */
  next(ms: number): Promise<Streams | undefined>;
  /** Ends the present connection; with `crash`, a game that was started here without any warning. */
  drop(crash: boolean): Promise<void>;
  /** Where the game was started here: whether its process ends in time. */
  exits(ms: number): Promise<number | 'signal' | undefined>;
  /** Where the game was started here: ends its input and nothing else. */
  endInput(): void;
  close(): Promise<void>;
}
