import type { Scope } from '@steward/shared/scopes';
import { type Caller, type Keys, noKeys, owner } from '../../../src/keys/caller.ts';

/** The owner's key and one for each of these, which a test ends when it likes. */
export class ScopedKeys implements Keys {
  refusalOf = noKeys.refusalOf;
  readonly #callers = new Map<string, Caller>();
  readonly #listeners = new Set<(ended: Caller) => void>();

  constructor(ownersKey: string, scopesByKey: Readonly<Record<string, readonly Scope[]>> = {}) {
    this.#callers.set(ownersKey, owner);
    for (const [key, scopes] of Object.entries(scopesByKey))
      this.#callers.set(key, { name: `friend ${key}`, keyId: key, scopes: new Set(scopes) });
  }

  callerOf(key: string): Caller | undefined {
    return this.#callers.get(key);
  }

  onEnded(listener: (ended: Caller) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  end(key: string): void {
    const ended = this.#callers.get(key);
    this.#callers.delete(key);
    if (ended !== undefined) for (const tell of this.#listeners) tell(ended);
  }
}
