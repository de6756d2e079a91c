import { Problem } from '@steward/shared/problems/problem';
import { enough, isGoodFor, type Needed, type Scope, scopeNames } from '@steward/shared/scopes';

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

/** As RFC 6750 has it; of several scopes any one is enough, which its header cannot say. */
export function insufficient(what: string, caller: Caller, needed: Needed): Problem {
  return new Problem(
    'insufficient-scope',
    `${what} needs ${whatIsLacking(caller, needed)}`,
    {},
    { 'www-authenticate': `Bearer error="insufficient_scope", scope="${enough(needed).join(' ')}"` },
  );
}

/** Who brings which key; undefined for a wrong one. */
export type CallerOf = (key: string) => Caller | undefined;

/** Whose keys there are. */
export interface Keys {
  readonly callerOf: CallerOf;
  /** Why a key that is nobody's is not let in. */
  readonly refusalOf: (key: string) => Problem;
  /**
   * Calls back, at once, with what `callerOf` gave for each key that opens nothing any more, so that whatever it holds open can be
   * closed. Returns what ends it.
   */
  readonly onEnded: (listener: (ended: Caller) => void) => () => void;
}

/** Where every key is wrong. */
export const noKeys: Keys = {
  callerOf: () => undefined,
  refusalOf: () => new Problem('unauthorized', 'The API key is wrong', {}, { 'www-authenticate': 'Bearer' }),
  onEnded: () => () => {},
};

/** The owner is known by the owner's key, which ends with the process; others by theirs. */
export function ownerBy(isOwnersKey: (given: string) => boolean, others: Keys = noKeys): Keys {
  return {
    callerOf: (key) => (isOwnersKey(key) ? owner : others.callerOf(key)),
    refusalOf: (key) => others.refusalOf(key),
    onEnded: (listener) => others.onEnded(listener),
  };
}
