import type { KeyFacts } from '@steward/shared/api/answers/keys';
import { type KeyExpiry, keyLimits } from '@steward/shared/api/key-parameters';
import { Problem } from '@steward/shared/problems/problem';
import type { Scope } from '@steward/shared/scopes';
import { timestampOf } from '@steward/shared/wire-values';
import { shown, type Which, whichSays } from '../store/named.ts';
import { type KeptKey, noMore } from '../store/tables/keys.ts';
import { hashOf, type KeyIndex, newKeyId, newSecret } from './key-index.ts';

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expires?: KeyExpiry | undefined;
}

/** A key as it is to be, and where it has got a new secret, that. */
export interface KeyChange {
  readonly key: KeptKey;
  readonly secret?: string;
}

// Each says how a key is to be, or throws the Problem that says why nothing is to be done.

export function created(index: KeyIndex, { name, scopes, expires }: NewKey, now: number): KeyChange {
  const namesake = index.named(name);
  if (namesake !== undefined)
    throw new Problem(
      'key-name-taken',
      `The key ${namesake.id} is called ${shown(namesake.name)}: use another name, or revoke that one first`,
    );
  if (index.active().length >= keyLimits.keys)
    throw new Problem(
      'too-many-keys',
      `There are already ${keyLimits.keys} keys, the maximum: revoke one that nobody uses; GET /keys shows when each was last used`,
    );
  const secret = newSecret();
  const key: KeptKey = {
    id: freeId(index),
    name,
    scopes,
    hash: hashOf(secret),
    createdAt: now,
    expiresAt: expires === undefined ? null : expiryOf(expires, now),
    oldHash: null,
    oldUntil: null,
    usedAt: null,
    endedAt: null,
    ended: null,
  };
  return { key, secret };
}

/** The secret before works until the grace or the key is over, and is known for longer; the one before that does not work any more. */
export function rotated(index: KeyIndex, which: Which, graceSeconds: number, now: number): KeyChange {
  const key = meant(index, which);
  const secret = newSecret();
  const graceOver = Math.min(now + graceSeconds * 1_000, key.expiresAt ?? Number.POSITIVE_INFINITY);
  const oldUntil = graceSeconds === 0 ? noMore : graceOver;
  return { key: { ...key, oldHash: key.hash, oldUntil, hash: hashOf(secret) }, secret };
}

/** Also one that has expired `early`, by a clock that may yet be set back. */
export function revoked(index: KeyIndex, which: Which, now: number, early?: KeptKey): KeyChange {
  return { key: ended(meant(index, which, early), 'revoked', now) };
}

/** What time alone has done to a key by now; undefined where it has done nothing. */
export function passed(key: KeptKey, now: number): KeptKey | undefined {
  const { expiresAt, oldUntil } = key;
  if (key.ended !== null) return undefined;
  if (expiresAt !== null && expiresAt <= now) return ended(key, 'expired', expiresAt);
  return isToCome(oldUntil) && oldUntil <= now ? { ...key, oldUntil: noMore } : undefined;
}

/** Why nothing may be done in the name of a key any more; undefined while it may. */
export function whyEnded(key: KeptKey | undefined, now: number): string | undefined {
  if (key === undefined) return 'the key that created it is no longer known';
  const { name, ended: how, endedAt } = passed(key, now) ?? key;
  return how === null ? undefined : `the key ${shown(name)} is ${how} since ${timestampOf(endedAt ?? 0)}`;
}

/** When time will do something to a key next. */
export function nextOf({ ended: how, expiresAt, oldUntil }: KeptKey): number {
  if (how !== null) return Number.POSITIVE_INFINITY;
  const graceOver = isToCome(oldUntil) ? oldUntil : Number.POSITIVE_INFINITY;
  return Math.min(expiresAt ?? Number.POSITIVE_INFINITY, graceOver);
}

export function factsOf(key: KeptKey): KeyFacts {
  const { id, name, scopes, createdAt, expiresAt, usedAt, endedAt, oldUntil } = key;
  return {
    id,
    name,
    scopes: [...scopes],
    state: key.ended ?? 'active',
    createdAt: timestampOf(createdAt),
    ...(expiresAt === null ? {} : { expiresAt: timestampOf(expiresAt) }),
    ...(usedAt === null ? {} : { lastUsedAt: timestampOf(usedAt) }),
    ...(endedAt === null ? {} : { endedAt: timestampOf(endedAt) }),
    ...(isToCome(oldUntil) ? { oldSecretUntil: timestampOf(oldUntil) } : {}),
  };
}

function isToCome(oldUntil: number | null): oldUntil is number {
  return oldUntil !== null && oldUntil !== noMore;
}

function ended(key: KeptKey, how: 'revoked' | 'expired', at: number): KeptKey {
  const oldUntil = key.oldHash === null ? null : noMore;
  return { ...key, oldUntil, ended: how, endedAt: at };
}

function meant(index: KeyIndex, which: Which, early?: KeptKey): KeptKey {
  const found = 'id' in which ? index.get(which.id) : index.named(which.name);
  if (found?.ended === null) return found;
  if (early !== undefined) return early;
  const since =
    found?.endedAt == null
      ? ''
      : `; the one that had it is ${found.ended} since ${timestampOf(found.endedAt)}`;
  throw new Problem('key-not-found', `No key ${whichSays(which)}${since}: GET /keys lists all keys`);
}

function expiryOf(expires: KeyExpiry, now: number): number {
  const at = 'at' in expires ? Date.parse(expires.at) : now + expires.afterMs;
  if (at > now) return at;
  throw new Problem(
    'invalid-parameter',
    `expires is ${timestampOf(at)}, which has passed: it must be a time in the future`,
  );
}

function freeId(index: KeyIndex): string {
  let id = newKeyId();
  while (index.get(id) !== undefined) id = newKeyId();
  return id;
}
