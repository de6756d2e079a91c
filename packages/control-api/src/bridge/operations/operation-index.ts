import { isFinal, isTransient, type Operation } from './operation.ts';

/** How far back a key or an id is known: whichever is reached first. */
export const retention = { operations: 1_000, ms: 24 * 60 * 60 * 1_000 } as const;

/** The operations that are remembered, by id and by key. Those that are not settled are never forgotten. */
export class OperationIndex {
  readonly #byId = new Map<string, Operation>();
  readonly #byKey = new Map<string, string>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  get(id: string): Operation | undefined {
    return this.#byId.get(id);
  }

  /** The operation that holds the key; one that was refused for the moment has let go of it. */
  holderOf(keyDigest: string): Operation | undefined {
    this.#forgetOld();
    const id = this.#byKey.get(keyDigest);
    const holder = id === undefined ? undefined : this.#byId.get(id);
    return holder === undefined || isTransient(holder) ? undefined : holder;
  }

  /** A new operation comes last; one that only changed keeps its place. */
  put(operation: Operation): void {
    const known = this.#byId.get(operation.id);
    if (known !== undefined && isFinal(known) && !isFinal(operation)) this.#byId.delete(operation.id);
    this.#byId.set(operation.id, operation);
    if (operation.keyDigest !== undefined) this.#byKey.set(operation.keyDigest, operation.id);
    this.#forgetOld();
  }

  values(): Operation[] {
    return [...this.#byId.values()];
  }

  #forgetOld(): void {
    const horizon = this.#now().getTime() - retention.ms;
    for (const operation of this.#byId.values()) {
      const old = Date.parse(operation.createdAt) < horizon;
      if (!old && this.#byId.size <= retention.operations) return;
      if (isFinal(operation)) this.#forget(operation);
    }
  }

  #forget({ id, keyDigest }: Operation): void {
    this.#byId.delete(id);
    if (keyDigest !== undefined && this.#byKey.get(keyDigest) === id) this.#byKey.delete(keyDigest);
  }
}
