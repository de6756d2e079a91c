import { isGoodFor, type Scope, scopeNames } from '@steward/shared/api/scopes';

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

/** The owner is known by the owner's key. */
export function ownerBy(isOwnersKey: (given: string) => boolean): CallerOf {
  return (key) => (isOwnersKey(key) ? owner : undefined);
}
