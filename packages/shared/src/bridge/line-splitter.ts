const lineFeed = 0x0a;

export type Line =
  | { readonly kind: 'line'; readonly text: string }
  /** With a mark in place of each byte that is not. */
  | { readonly kind: 'not-utf8'; readonly text: string }
  | { readonly kind: 'over-limit' };

/** Cuts a byte stream into lines. Holds no more than one line's limit, whatever the other side sends. */
export class LineSplitter {
  readonly #limitBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #lenient = new TextDecoder('utf-8', { ignoreBOM: true });
  #parts: Uint8Array[] = [];
  #held = 0;
  #skipping = false;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The lines that this chunk completes; of a line over the limit, word once and nothing more of it. */
  *push(chunk: Uint8Array): Generator<Line> {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(lineFeed, start);
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
      if (!this.#skipping && this.#held + piece.length > this.#limitBytes) {
        this.#skipping = true;
        this.#clear();
        yield { kind: 'over-limit' };
      }
      if (!this.#skipping) this.#hold(piece);
      if (end === -1) return;
      if (this.#skipping) this.#skipping = false;
      else yield this.#complete();
      start = end + 1;
    }
  }

  /** What has come of a line that has not ended, once no more can come. */
  rest(): Line | undefined {
    return this.#held === 0 ? undefined : this.#complete();
  }

  #hold(piece: Uint8Array): void {
    this.#parts.push(piece);
    this.#held += piece.length;
  }

  #complete(): Line {
    const bytes = new Uint8Array(this.#held);
    let offset = 0;
    for (const part of this.#parts) {
      bytes.set(part, offset);
      offset += part.length;
    }
    this.#clear();
    try {
      return { kind: 'line', text: this.#decoder.decode(bytes) };
    } catch {
      return { kind: 'not-utf8', text: this.#lenient.decode(bytes) };
    }
  }

  #clear(): void {
    this.#parts = [];
    this.#held = 0;
  }
}
