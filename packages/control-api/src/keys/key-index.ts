import { hash, randomBytes } from 'node:crypto';
import { keyPrefix } from '@steward/shared/api/key-parameters';
import type { KeptKey } from '../store/tables/keys.ts';
import type { Caller } from './caller.ts';

const secretBytes = 32;
const idBytes = 6;
const secretForm = new RegExp(`^${keyPrefix}[A-Za-z0-9_-]{43}$`);

export function newSecret(): string {
  return `${keyPrefix}${randomBytes(secretBytes).toString('base64url')}`;
}

export function newKeyId(): string {
  return `key_${randomBytes(idBytes).toString('hex')}`;
}

/** Whether it could be a key of ours; whatever else is brought need not be looked up. */
export function hasKeyForm(text: string): boolean {
  return secretForm.test(text);
}

/** What is kept of a secret. With 256 random bits in it nobody finds another that fits, nor learns from the time that a look-up takes. */
export function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** What one secret of a key opens, for as long as it does. */
export interface Opening {
  readonly keyId: string;
  readonly caller: Caller;
  /** Milliseconds since 1970; infinite where it never ends by itself. */
  until: number;
  usedAt: number;
}

/** Every key that is known, by its id and by the secrets that open it: one look into one map tells who calls. */
export class KeyIndex {
  /** In the order in which they were made. */
  readonly #keys = new Map<string, KeptKey>();
  readonly #openings = new Map<string, Opening>();
  readonly #ended = new Map<string, KeptKey>();

  get(id: string): KeptKey | undefined {
    return this.#keys.get(id);
  }

  all(): KeptKey[] {
    return [...this.#keys.values()];
  }

  active(): KeptKey[] {
    return this.all().filter(({ ended }) => ended === null);
  }

  named(name: string): KeptKey | undefined {
    const wanted = name.toLowerCase();
    return this.active().find((key) => key.name.toLowerCase() === wanted);
  }

  openingOf(secret: string): Opening | undefined {
    return this.#openings.get(hashOf(secret));
  }

  /** The key that this secret opened before it ended. */
  endedOf(secret: string): KeptKey | undefined {
    return this.#ended.get(hashOf(secret));
  }

  /** The key is so from now on; returns whoever can do nothing with it any more. */
  put(key: KeptKey): readonly Caller[] {
    const before = this.#keys.get(key.id);
    this.#keys.set(key.id, key);
    const until = untilOf(key);
    const gone = untilOf(before)
      .keys()
      .filter((each) => !until.has(each))
      .flatMap((each) => this.#close(each))
      .toArray();
    for (const [each, time] of until) this.#open(key, each, time);
    if (key.ended === null) this.#ended.delete(key.hash);
    else this.#ended.set(key.hash, key);
    return gone;
  }

  used({ keyId }: Opening, at: number): void {
    const key = this.#keys.get(keyId);
    if (key !== undefined) this.#keys.set(keyId, { ...key, usedAt: at });
  }

  forget(id: string): void {
    const key = this.#keys.get(id);
    this.#keys.delete(id);
    if (key !== undefined) this.#ended.delete(key.hash);
  }

  #open({ id: keyId, name, scopes, usedAt }: KeptKey, by: string, until: number): void {
    const known = this.#openings.get(by);
    if (known !== undefined) known.until = until;
    else {
      const caller = { name, keyId, scopes: new Set(scopes) };
      this.#openings.set(by, { keyId, caller, until, usedAt: usedAt ?? Number.NEGATIVE_INFINITY });
    }
  }

  #close(by: string): readonly Caller[] {
    const opening = this.#openings.get(by);
    this.#openings.delete(by);
    return opening === undefined ? [] : [opening.caller];
  }
}

/** Until when each of a key's secrets, by its hash, opens it. */
function untilOf(key: KeptKey | undefined): Map<string, number> {
  if (key === undefined || key.ended !== null) return new Map();
  const { hash: now, expiresAt, oldHash, oldUntil } = key;
  const end = expiresAt ?? Number.POSITIVE_INFINITY;
  const until = new Map([[now, end]]);
  if (oldHash !== null) until.set(oldHash, Math.min(end, oldUntil ?? end));
  return until;
}
