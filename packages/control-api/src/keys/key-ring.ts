import type { KeyFacts } from '@steward/shared/api/answers/keys';
import type { KeyExpiry } from '@steward/shared/api/key-parameters';
import type { Scope } from '@steward/shared/api/scopes';
import type { Problem } from '@steward/shared/problems/problem';
import type { Caller } from './caller.ts';

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expires?: KeyExpiry | undefined;
}

export type WhichKey = { readonly id: string } | { readonly name: string };

/** What was done to a key. */
export interface KeyChanged {
  readonly operationId: string;
  readonly key: KeyFacts;
  /** Told once: undefined for a retry, and where none was made. */
  readonly secret: string | undefined;
}

/** The keys beside the owner's. What is asked of it is answered from memory; what changes is on the disk before it is told. */
export interface KeyRing {
  /** Who brings this key: the same object for as long as the key has this secret. Undefined for whatever is no key, or none any more. */
  callerOf(key: string): Caller | undefined;
  /** Why a key that is nobody's is not let in: `unauthorized`, or `state-unreadable` where nobody can tell whose it is. */
  refusalOf(key: string): Problem;
  /** Those that have not ended, or all; the newest first. */
  list(options: { readonly ended: boolean }): readonly KeyFacts[];
  /** Each throws a Problem where nothing was done. */
  create(asked: NewKey, idempotencyKey: string | undefined): Promise<KeyChanged>;
  rotate(which: WhichKey, graceSeconds: number, idempotencyKey: string | undefined): Promise<KeyChanged>;
  revoke(which: WhichKey, idempotencyKey: string | undefined): Promise<KeyChanged>;
  /**
   * Calls back, at once, with what `callerOf` gave for each secret that is good for nothing any more: revoked, expired, or its grace
   * after a rotation over. What the same key's other secret opened goes on, so compare the object, not the `keyId`. Returns what ends it.
   */
  onEnded(listener: (ended: Caller) => void): () => void;
}
