import type { Readable, Writable } from 'node:stream';
import { type Line, LineSplitter } from './line-splitter.ts';

/** Bytes from and to one other side, whatever carries them. */
export interface LineStream {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends both directions. What was written last need not have gone out. */
  readonly close: () => void;
}

/** What a side takes from the other before it takes it ill; `Infinity` where it takes whatever comes. */
export interface LineLimits {
  readonly frameBytes: number;
  /** Lines taken within a second; a flood beyond is left in the stream. */
  readonly linesPerSecond: number;
  /** Left unread by the other side, before it counts as one that does not read. */
  readonly unreadBytes: number;
}

/** As much of a clock as a peer needs. */
export interface PeerClock {
  now(): number;
  after(ms: number, action: () => void): { cancel(): void };
}

const paceWindowMs = 1_000;

export interface LineReaderParts {
  readonly limits: Pick<LineLimits, 'frameBytes' | 'linesPerSecond'>;
  readonly clock: PeerClock;
  /** Who writes the lines, in words. */
  readonly other: string;
  readonly line: (line: Line) => void;
  /** What the stream ended in the middle of. */
  readonly unended: (line: Line) => void;
  readonly ended: (why: string) => void;
}

/** Reads lines at a pace that leaves the process free for others. */
export class LineReader {
  readonly #input: Readable;
  readonly #parts: LineReaderParts;
  readonly #splitter: LineSplitter;
  #stopped = false;
  #windowStart: number;
  #inWindow = 0;

  constructor(input: Readable, parts: LineReaderParts) {
    this.#input = input;
    this.#parts = parts;
    this.#splitter = new LineSplitter(parts.limits.frameBytes);
    this.#windowStart = parts.clock.now();
    input.on('data', (chunk: Buffer) => this.#read(chunk));
    input.on('end', () => {
      const rest = this.#stopped ? undefined : this.#splitter.rest();
      if (rest !== undefined) parts.unended(rest);
      parts.ended(`${parts.other} closed the connection`);
    });
    input.on('close', () => this.#parts.ended('the connection was lost'));
    input.on('error', (error) => this.#parts.ended(`the connection failed: ${error.message}`));
  }

  /** No further line is handed on, though bytes may still come. */
  stop(): void {
    this.#stopped = true;
    this.#input.resume();
  }

  #read(chunk: Buffer): void {
    if (this.#stopped) return;
    for (const line of this.#splitter.push(chunk)) {
      this.#inWindow += 1;
      this.#parts.line(line);
      if (this.#stopped) return;
    }
    this.#keepPace();
  }

  #keepPace(): void {
    const { clock, limits } = this.#parts;
    const passed = clock.now() - this.#windowStart;
    if (passed >= paceWindowMs) {
      this.#newWindow();
    } else if (this.#inWindow > limits.linesPerSecond) {
      this.#input.pause();
      clock.after(paceWindowMs - passed, () => {
        this.#newWindow();
        this.#input.resume();
      });
    }
  }

  #newWindow(): void {
    this.#windowStart = this.#parts.clock.now();
    this.#inWindow = 0;
  }
}

interface LineWriterParts {
  readonly limits: Pick<LineLimits, 'unreadBytes'>;
  /** Who reads the lines, in words. */
  readonly other: string;
  /** Nothing can be written any more. */
  readonly ended: (why: string) => void;
  /** More than the limit has been left unread. */
  readonly unread: (why: string) => void;
}

/** Writes one document a line. What the other side does not read is held up to a limit and no further. */
export class LineWriter {
  readonly #output: Writable;
  readonly #parts: LineWriterParts;

  constructor(output: Writable, parts: LineWriterParts) {
    this.#output = output;
    this.#parts = parts;
    output.on('error', (error) => parts.ended(`${parts.other} cannot be written to: ${error.message}`));
  }

  write(document: object): void {
    if (!this.#output.writable) return;
    this.#output.write(`${JSON.stringify(document)}\n`);
    const { limits, other, unread } = this.#parts;
    if (this.#output.writableLength > limits.unreadBytes) unread(`${other} does not read`);
  }
}
