import type { Writable } from 'node:stream';

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
