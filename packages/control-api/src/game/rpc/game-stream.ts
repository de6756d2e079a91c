import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@steward/service-kit/clock';
import type { Secret } from '@steward/service-kit/secret';
import { type Line, LineSplitter } from '@steward/shared/bridge/line-splitter';
import type { BridgeLimits } from '../state/limits.ts';

/** What every mode produces: bytes from and to one game, and what the handshake on them must know. */
export interface GameStream {
  readonly input: Readable;
  readonly output: Writable;
  /** Flushes what was written, then ends both directions. */
  readonly close: () => void;
  /** Who is at the other end, for the log. */
  readonly from: string;
  readonly helloMs: number;
  /** Set where the stream's own way in proves nothing. */
  readonly secret?: Secret;
  /** Takes lines that are no messages, where a game's stray prints share the stream. */
  readonly strayLine?: (line: string) => void;
}

const paceWindowMs = 1_000;

export interface LineReaderParts {
  readonly limits: Pick<BridgeLimits, 'frameBytes' | 'linesPerSecond'>;
  readonly clock: Clock;
  readonly line: (line: Line) => void;
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
    input.on('end', () => this.#parts.ended('the game closed the connection'));
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

/** Writes one document a line. What the other side does not read is held up to a limit and no further. */
export class LineWriter {
  readonly #output: Writable;
  readonly #unreadBytes: number;
  readonly #failed: (why: string) => void;

  constructor(output: Writable, unreadBytes: number, failed: (why: string) => void) {
    this.#output = output;
    this.#unreadBytes = unreadBytes;
    this.#failed = failed;
    output.on('error', (error) => failed(`the game cannot be written to: ${error.message}`));
  }

  write(document: object): void {
    if (!this.#output.writable) return;
    this.#output.write(`${JSON.stringify(document)}\n`);
    if (this.#output.writableLength > this.#unreadBytes) this.#failed('the game does not read');
  }
}
