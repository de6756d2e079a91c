export interface Limits {
  readonly mostAtOnce: number;
  readonly mostBytes: number;
}

/** Lets so many in at a time, and so many bytes. One that is larger than everything goes alone. */
export class MemoryBudget {
  readonly #limits: Limits;
  #count = 0;
  #bytes = 0;
  #released = Promise.withResolvers<void>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Resolves to what gives the place back. Whoever waits has to wait alone: first come, first served needs no more here. */
  async take(bytes: number, signal: AbortSignal): Promise<() => void> {
    const abort = () => this.#wake();
    signal.addEventListener('abort', abort);
    try {
      while (!this.#fits(bytes)) {
        signal.throwIfAborted();
        await this.#released.promise;
      }
      signal.throwIfAborted();
    } finally {
      signal.removeEventListener('abort', abort);
    }
    this.#count += 1;
    this.#bytes += bytes;
    return () => {
      this.#count -= 1;
      this.#bytes -= bytes;
      this.#wake();
    };
  }

  #fits(bytes: number): boolean {
    const { mostAtOnce, mostBytes } = this.#limits;
    return this.#count === 0 || (this.#count < mostAtOnce && this.#bytes + bytes <= mostBytes);
  }

  #wake(): void {
    this.#released.resolve();
    this.#released = Promise.withResolvers<void>();
  }
}
