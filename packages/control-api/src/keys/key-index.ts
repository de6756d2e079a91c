import { hash, randomBytes } from 'node:crypto';
import { keyPrefix } from '@steward/shared/api/key-parameters';
import { type KeptKey, noMore } from '../store/tables/keys.ts';
import type { Caller } from './caller.ts';

/** Of those that open nothing any more, so many are known: more than the keys that are kept can have at once. */
const formerKnown = 5_000;

const minuteMs = 60_000;
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

/** Since 1970. */
export function minuteOf(milliseconds: number): number {
  return Math.floor(milliseconds / minuteMs);
}

/** What is kept of a secret. With 256 random bits in it nobody finds another that fits, nor learns from the time that a look-up takes. */
export function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** What one secret of a key opens, for as long as it does. */
export interface Opening {
  readonly keyId: string;
  readonly caller: Caller;
  /** Milliseconds since 1970; undefined where it never ends by itself, as V8 keeps each such number in an object of its own. */
  until: number | undefined;
  /** The minute in which it was used last, since 1970. */
  usedMinute: number | undefined;
}

/** Every key that is known, by its id and by the secrets that open it: one look into one map tells who calls. */
export class KeyIndex {
  /** In the order in which they were made. */
  readonly #keys = new Map<string, KeptKey>();
  readonly #openings = new Map<string, Opening>();
  /** The ids of keys by the secrets that opened them, the oldest first. */
  readonly #former = new Map<string, string>();

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

  /** The key that this secret opened before either ended. */
  formerOf(secret: string): KeptKey | undefined {
    return this.#keys.get(this.#former.get(hashOf(secret)) ?? '');
  }

  /** The key is so from now on; returns whoever can do nothing with it any more. */
  put(key: KeptKey): readonly Caller[] {
    const before = this.#keys.get(key.id);
    this.#keys.set(key.id, key);
    const until = untilOf(key);
    const former = [...hashesOf(before), ...hashesOf(key)].filter((each) => !until.has(each));
    for (const each of former) this.#remember(each, key.id);
    for (const [each, time] of until) {
      // Where the clock was set back, one that had expired opens it again.
      this.#former.delete(each);
      this.#open(key, each, time);
    }
    return former.flatMap((each) => this.#close(each));
  }

  used({ keyId }: Opening, at: number): void {
    const key = this.#keys.get(keyId);
    if (key !== undefined) this.#keys.set(keyId, { ...key, usedAt: at });
  }

  forget(id: string): void {
    this.#keys.delete(id);
  }

  #remember(former: string, id: string): void {
    this.#former.set(former, id);
    for (const oldest of this.#former.keys()) {
      if (this.#former.size <= formerKnown) return;
      this.#former.delete(oldest);
    }
  }

  #open({ id: keyId, name, scopes, usedAt }: KeptKey, by: string, end: number): void {
    const known = this.#openings.get(by);
    const until = Number.isFinite(end) ? end : undefined;
    if (known !== undefined) known.until = until;
    else {
      const caller = { name, keyId, scopes: new Set(scopes) };
      const usedMinute = usedAt === null ? undefined : minuteOf(usedAt);
      this.#openings.set(by, { keyId, caller, until, usedMinute });
    }
  }

  #close(by: string): readonly Caller[] {
    const opening = this.#openings.get(by);
    this.#openings.delete(by);
    return opening === undefined ? [] : [opening.caller];
  }
}

function hashesOf(key: KeptKey | undefined): readonly string[] {
  if (key === undefined) return [];
  return key.oldHash === null ? [key.hash] : [key.hash, key.oldHash];
}

/** Until when each of a key's secrets, by its hash, opens it. */
function untilOf(key: KeptKey | undefined): Map<string, number> {
  if (key === undefined || key.ended !== null) return new Map();
  const { hash: now, expiresAt, oldHash, oldUntil } = key;
  const end = expiresAt ?? Number.POSITIVE_INFINITY;
  const until = new Map([[now, end]]);
  if (oldHash !== null && oldUntil !== noMore) until.set(oldHash, Math.min(end, oldUntil ?? end));
  return until;
}
