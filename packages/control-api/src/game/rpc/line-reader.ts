import type { Readable } from 'node:stream';
import type { Clock } from '@steward/service-kit/clock';
import { type Line, LineSplitter } from '@steward/shared/bridge/line-splitter';
import type { BridgeLimits } from '../state/limits.ts';

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
