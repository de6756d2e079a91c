import { isGoodFor, type Scope, scopeNames } from '@steward/shared/api/scopes';
import { Problem } from '@steward/shared/problems/problem';

/** Who asks, and what for they may. */
export interface Caller {
  /** For people and the record: `owner`, `open`, or the name of a key. */
  readonly name: string;
  /** Of the key that was brought; undefined for the owner's, and where none is asked for. */
  readonly keyId?: string;
  readonly scopes: ReadonlySet<Scope>;
}

const everything = new Set(scopeNames);

/** Who brings `API_KEY`. */
export const owner: Caller = { name: 'owner', scopes: everything };

/** Everybody, where there is no `API_KEY`. */
export const anybody: Caller = { name: 'open', scopes: everything };

export function may({ scopes }: Caller, needed: Scope): boolean {
  return isGoodFor(scopes, needed);
}

/** Who brings which key; undefined for a wrong one. */
export type CallerOf = (key: string) => Caller | undefined;

/** Whose keys there are. */
export interface Keys {
  readonly callerOf: CallerOf;
  /** Why a key that is nobody's is not let in. */
  readonly refusalOf: (key: string) => Problem;
}

/** Where every key is wrong. */
export const noKeys: Keys = {
  callerOf: () => undefined,
  refusalOf: () => new Problem('unauthorized', 'The API key is wrong', {}, { 'www-authenticate': 'Bearer' }),
};

/** The owner is known by the owner's key, others by theirs. */
export function ownerBy(isOwnersKey: (given: string) => boolean, others: Keys = noKeys): Keys {
  return {
    callerOf: (key) => (isOwnersKey(key) ? owner : others.callerOf(key)),
    refusalOf: (key) => others.refusalOf(key),
  };
}
