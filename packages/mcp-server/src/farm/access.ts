import { type Farm, StewardError } from '@steward/client';
import { callerOf } from '@steward/client/caller';
import { type Scope, scopeNames } from '@steward/shared/scopes';

/** Soon enough for who has made another key, and seldom enough for the server. */
const staleMs = 60_000;

/** What a farm says of a key that is nobody's. */
const wrongKey = 'unauthorized';

/** A farm takes ten wrong keys a minute from one address, which others may have, too. */
const wrongKeyMs = 15_000;

/** A host that asks for the tools waits no longer for a farm that does not answer. */
const askingMs = 4_000;

/** So that a farm that is away is told in a second or two, and one that is started anew is waited for. */
export const askingRetries = 2;

/** What a call may come to that says that the key is not what it was. */
export const ofTheKey: ReadonlySet<string> = new Set([wrongKey, 'key-ended', 'insufficient-scope']);

/** What it may come to where nobody, or nobody of ours, answers. */
export const ofTheWay: ReadonlySet<string> = new Set(['network', 'timeout', 'not-steward']);

interface Parts {
  readonly farm: Pick<Farm, 'getCaller'>;
  readonly now: () => number;
  readonly log: (text: string) => void;
}

/** What the key is good for, as the farm said last. */
export class Access {
  readonly #parts: Parts;
  readonly #listeners: (() => void)[] = [];
  #granted: ReadonlySet<Scope> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  #trouble: StewardError | undefined;
  #said = '';

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Undefined until the farm has answered. */
  get granted(): ReadonlySet<Scope> | undefined {
    return this.#granted;
  }

  /** Why the farm did not say so when it was asked last: whatever else it is asked would end so, and later. */
  get trouble(): StewardError | undefined {
    return this.#trouble;
  }

  /** Told each time that it is good for something else. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** What it said last may not be so any more: it is asked again before anything else is. A wrong key is tried in its own time alone. */
  doubt(): void {
    if (this.#trouble?.code !== wrongKey) this.#askedAt = Number.NEGATIVE_INFINITY;
  }

  /** Asks where that was long ago, is doubted, or went wrong. A key that has ended keeps the tools that it had: they say so. */
  async refresh(): Promise<void> {
    const isFresh = this.#parts.now() - this.#askedAt < this.#freshMs;
    if (isFresh && this.#asking === undefined) return;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    await this.#asking;
  }

  get #freshMs(): number {
    if (this.#trouble === undefined) return staleMs;
    return this.#trouble.code === wrongKey ? wrongKeyMs : 0;
  }

  async #ask(): Promise<void> {
    this.#askedAt = this.#parts.now();
    try {
      const { name, scopes } = await callerOf(this.#parts.farm, { timeoutMs: askingMs });
      this.#trouble = undefined;
      const granted = new Set(scopes.filter((one) => scopeNames.includes(one)));
      this.#say(`the farm answers; the key is "${name}", with the scopes ${scopes.join(', ')}`);
      if (sameScopes(granted, this.#granted)) return;
      this.#granted = granted;
      for (const listener of this.#listeners) listener();
    } catch (error) {
      if (!(error instanceof StewardError)) throw error;
      // After too many wrong keys, a farm no longer says that this one is wrong, too.
      if (error.code === 'too-many-requests' && this.#trouble?.code === wrongKey) return;
      this.#trouble = error;
      this.#say(`${error.detail} (${error.code})`);
    }
  }

  /** Once, however often it stays so. */
  #say(text: string): void {
    if (text !== this.#said) this.#parts.log(text);
    this.#said = text;
  }
}

function sameScopes(one: ReadonlySet<Scope>, other: ReadonlySet<Scope> | undefined): boolean {
  return other !== undefined && one.size === other.size && [...one].every((scope) => other.has(scope));
}
