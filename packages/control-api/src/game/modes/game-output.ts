import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '@steward/service-kit/clock';

export const outputLimits = {
  /** What is kept of the output of the games that were started here: of the last line the newest. */
  lines: 500,
  bytes: 256 * 1024,
  lineCharacters: 2_000,
  /** What an event has of it. */
  crashLines: 20,
  crashLineCharacters: 300,
} as const;

export interface OutputLine {
  readonly at: Date;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** What a game has printed, as far as it is kept: its own words, made harmless for whoever shows them. */
export class GameOutput {
  readonly #clock: Pick<Clock, 'date'>;
  readonly #lines: OutputLine[] = [];
  #bytes = 0;
  /** How many of the lines are of the run that is on, or was last. */
  #ofRun = 0;

  constructor(clock: Pick<Clock, 'date'>) {
    this.#clock = clock;
  }

  get lines(): readonly OutputLine[] {
    return [...this.#lines];
  }

  /** What the last run said last. */
  get lastWords(): readonly string[] {
    const count = Math.min(this.#ofRun, this.#lines.length, outputLimits.crashLines);
    const last = count === 0 ? [] : this.#lines.slice(-count);
    return last.map(({ text }) => cut(text, outputLimits.crashLineCharacters));
  }

  began(): void {
    this.#ofRun = 0;
  }

  said(stream: OutputLine['stream'], line: string): void {
    const text = cut(harmless(line), outputLimits.lineCharacters);
    this.#lines.push({ at: this.#clock.date(), stream, text });
    this.#ofRun += 1;
    this.#bytes += Buffer.byteLength(text);
    while (this.#lines.length > outputLimits.lines || this.#bytes > outputLimits.bytes) {
      const oldest = this.#lines.shift();
      this.#bytes -= Buffer.byteLength(oldest?.text ?? '');
    }
  }
}

/** Nothing of it moves a cursor, ends a line or turns the order of letters round where it is shown. */
function harmless(line: string): string {
  return stripVTControlCharacters(line)
    .toWellFormed()
    .replaceAll('\t', ' ')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '\ufffd');
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
