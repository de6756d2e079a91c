import { enough, isGoodFor, type Needed, type Scope, scopeNames } from '@steward/shared/api/scopes';

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

export function may({ scopes }: Caller, needed: Needed): boolean {
  return isGoodFor(scopes, needed);
}

/** What who may too little is told. */
export function whatIsLacking({ name, scopes }: Caller, needed: Needed): string {
  const wanted = enough(needed).join(' or ');
  return `a key with the scope ${wanted}; the key ${JSON.stringify(name)} has ${[...scopes].join(', ')}`;
}

/** The keys that there are, as a door asks for them. */
export interface Keys {
  /** Who brings it; undefined for a wrong one. */
  callerOf(key: string): Caller | undefined;
  /**
   * Calls back, at once, with what `callerOf` gave for each key that opens nothing any more, so that whatever it holds open can be
   * closed. Returns what ends it.
   */
  onEnded(listener: (ended: Caller) => void): () => void;
}

/** The owner's alone, which ends with the process. */
export function ownersKey(isOwners: (given: string) => boolean): Keys {
  return { callerOf: (key) => (isOwners(key) ? owner : undefined), onEnded: () => () => {} };
}
