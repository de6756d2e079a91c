import type { LogStream } from './log-stream.ts';

/** The longest that a line waits for others to be written with. */
const waitMs = 50;

/** Enough lines for one write to the system; beyond, waiting gains nothing. */
const fullLength = 16_384;

const errorLevel = 50;

// By this mark pino sets lastLevel before it writes a line.
const pinoMetadata: unique symbol = Symbol.for('pino.metadata');

/**
 * Where a log goes that is written in batches: one write to the system for many lines. An error is written at once,
 * with everything before it; so is what is left when the process exits.
 */
export class BatchedLines {
  readonly [pinoMetadata] = true;
  lastLevel = 0;
  readonly #stream: Pick<LogStream, 'write'>;
  #held = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: Pick<LogStream, 'write'>) {
    this.#stream = stream;
  }

  write(line: string): void {
    this.#held += line;
    if (this.lastLevel >= errorLevel || this.#held.length >= fullLength) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), waitMs).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = '';
    if (held !== '') this.#stream.write(held);
  }
}
