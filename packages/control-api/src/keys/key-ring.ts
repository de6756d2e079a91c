import type { Clock, Timer } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type { KeyFacts } from '@steward/shared/api/answers/keys';
import { Problem } from '@steward/shared/problems/problem';
import { timestampOf } from '@steward/shared/wire-values';
import type { CommandResult, OperationCommandName } from '../game/operations/operation.ts';
import type { Operations } from '../game/operations/operations.ts';
import type { KeptKeys } from '../store/kept/keys.ts';
import { shown, type Which } from '../store/named.ts';
import { OwnChanges } from '../store/own-changes.ts';
import type { KeptKey } from '../store/tables/keys.ts';
import { type Caller, type Keys, noKeys } from './caller.ts';
import { EarlyEnds } from './early-ends.ts';
import {
  created,
  factsOf,
  type KeyChange,
  type NewKey,
  nextOf,
  passed,
  revoked,
  rotated,
  whyEnded,
} from './key-changes.ts';
import { hasKeyForm, KeyIndex, minuteOf, type Opening } from './key-index.ts';

/** A timer cannot run for longer than 25 days, and the wall clock may be set while it does. */
const longestWaitMs = 60_000;
/** Keys that are used together are written together. */
const gatherUsesMs = 1_000;
/** Of those that have ended so many are known, for who asks what became of one. */
const endedKnown = 1_000;

export interface KeyRingParts {
  readonly kept: KeptKeys;
  readonly operations: Pick<Operations, 'carryOut'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info'>;
  /** Whether API_KEY is set: without it everybody is let in as they are. */
  readonly hasOwner: boolean;
}

/** What became of a change. */
export interface KeyChanged {
  readonly result: CommandResult;
  /** Told once: undefined for a retry, and where none was made. */
  readonly secret: string | undefined;
}

/** The keys beside the owner's. What is asked of it is answered from memory; what changes is on the disk before it is told. */
export class KeyRing implements Keys {
  readonly #parts: KeyRingParts;
  readonly #changes: OwnChanges;
  readonly #index = new KeyIndex();
  readonly #listeners = new Set<(ended: Caller) => void>();
  readonly #used = new Map<string, number>();
  readonly #early: EarlyEnds;
  #next: Timer | undefined;
  #nextUse: Timer | undefined;
  #isStopped = false;

  constructor(parts: KeyRingParts) {
    this.#parts = parts;
    const { kept, operations, clock } = parts;
    this.#early = new EarlyEnds(clock, this.#index);
    this.#changes = new OwnChanges({
      things: 'Keys',
      list: 'GET /keys',
      unreadable: () => kept.unreadable,
      operations,
      clock,
    });
  }

  /** To be called once, when the database is open. */
  load(): void {
    for (const key of this.#parts.kept.load()) this.#index.put(key);
    this.#look();
  }

  /** Nothing ends any more, and when keys were used last is written down. */
  stop(): void {
    this.#isStopped = true;
    this.#next?.cancel();
    this.#nextUse?.cancel();
    this.#keepUses();
  }

  /**
   * Who brings this key: the same object for as long as the key has this secret. Undefined for whatever is no key, or none any more,
   * and for all while the database cannot be used.
   */
  callerOf(secret: string): Caller | undefined {
    const { kept, clock } = this.#parts;
    if (!hasKeyForm(secret) || kept.unreadable !== undefined) return undefined;
    const opening = this.#index.openingOf(secret);
    if (opening === undefined) return undefined;
    const now = clock.date().getTime();
    if (opening.until !== undefined && now >= opening.until) {
      this.#look();
      return undefined;
    }
    if (minuteOf(now) !== opening.usedMinute) this.#noteUse(opening, now);
    return opening.caller;
  }

  /** Why a key that is nobody's is not let in: `unauthorized`, `key-ended`, or `state-unreadable` where nobody can tell whose it is. */
  refusalOf(secret: string): Problem {
    const { unreadable } = this.#parts.kept;
    const isOurs = hasKeyForm(secret);
    if (isOurs && unreadable !== undefined)
      return new Problem(
        'state-unreadable',
        `This key cannot be checked, and only API_KEY works now: ${unreadable}`,
      );
    const key = isOurs ? this.#index.formerOf(secret) : undefined;
    if (key === undefined) return noKeys.refusalOf(secret);
    const { ended, endedAt } = key;
    const how =
      ended === null
        ? 'was rotated, and this is an old secret that no longer works'
        : `is ${ended} since ${timestampOf(endedAt ?? 0)}`;
    return new Problem(
      'key-ended',
      `The key ${shown(key.name)} ${how}`,
      {},
      { 'www-authenticate': 'Bearer error="invalid_token"' },
    );
  }

  /** Why nothing may be done in the name of this key any more; undefined while it may. */
  whyEnded(id: string): string | undefined {
    return whyEnded(this.#index.get(id), this.#parts.clock.date().getTime());
  }

  /** Of one that has ended: whether it has by a clock that may yet be set back, and the key with it. */
  mayComeBack(id: string): boolean {
    return this.#early.has(id) || this.#index.get(id)?.ended === null;
  }

  /** Those that have not ended, or all; the newest first. */
  list({ ended }: { readonly ended: boolean }): readonly KeyFacts[] {
    this.#changes.readable();
    const keys = ended ? this.#index.all() : this.#index.active();
    return keys.toReversed().map(factsOf);
  }

  /** When it ends by itself, if it does. */
  expiryOf(id: string): string | undefined {
    const key = this.#index.get(id);
    return key === undefined ? undefined : factsOf(key).expiresAt;
  }

  /** How many there are in each state. */
  get counts(): Readonly<Record<KeyFacts['state'], number>> {
    const counts = { active: 0, revoked: 0, expired: 0 };
    for (const { ended } of this.#index.all()) counts[ended ?? 'active'] += 1;
    return counts;
  }

  create(key: NewKey, idempotencyKey: string | undefined): Promise<KeyChanged> {
    return this.#change('createKey', key, idempotencyKey, (now) => {
      this.#needsOwner();
      return created(this.#index, key, now);
    });
  }

  rotate(which: Which, graceSeconds: number, idempotencyKey: string | undefined): Promise<KeyChanged> {
    return this.#change('rotateKey', { which, graceSeconds }, idempotencyKey, (now) => {
      this.#needsOwner();
      return rotated(this.#index, which, graceSeconds, now);
    });
  }

  revoke(which: Which, idempotencyKey: string | undefined): Promise<KeyChanged> {
    return this.#change('revokeKey', which, idempotencyKey, (now) =>
      revoked(this.#index, which, now, this.#early.meant(which)),
    );
  }

  /**
   * Calls back, at once, with what `callerOf` gave for each secret that is good for nothing any more: revoked, expired, or its grace
   * after a rotation over. What the same key's other secret opened goes on, so compare the object, not the `keyId`. Returns what ends it.
   */
  onEnded(listener: (ended: Caller) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Where this process dies before it answers, a retry under the same key is told what was done, as any other is, and never the secret. */
  async #change(
    name: OperationCommandName,
    asked: object,
    idempotencyKey: string | undefined,
    decide: (now: number) => KeyChange,
  ): Promise<KeyChanged> {
    let secret: string | undefined;
    const result = await this.#changes.make(name, asked, idempotencyKey, (now) => {
      this.#look();
      const change = decide(now);
      const { key } = change;
      const forgotten = this.#tooOld(Number(key.ended !== null));
      return {
        outcome: { outcome: 'applied', before: {}, after: factsOf(key) },
        keep: (operation) => this.#parts.kept.change([key], forgotten, operation),
        done: () => {
          secret = change.secret;
          // It may have been used meanwhile.
          const usedAt = this.#index.get(key.id)?.usedAt ?? null;
          this.#early.forget(key.id);
          this.#take([{ ...key, usedAt }], forgotten);
        },
      };
    });
    return { result, secret };
  }

  /** What time has done by now is so, whatever the timer, and the next time that it does something is waited for. */
  #look(): void {
    const { kept, clock, log } = this.#parts;
    const now = clock.date().getTime();
    for (const { id, name } of this.#early.takeBack(now))
      log.info({ key: id }, `the key ${shown(name)} has not expired: the clock was set back`);
    const changed = this.#index.active().flatMap((key) => passed(key, now) ?? []);
    const expired = changed.filter((key) => key.ended !== null);
    for (const { id, name } of expired) {
      this.#early.add(id);
      log.info({ key: id }, `the key ${shown(name)} has expired`);
    }
    this.#take(changed, []);
    // An end is told of at once, and kept once the clock is believed.
    const put = [...changed.filter((key) => key.ended === null), ...this.#early.takeBelieved()];
    if (put.length === 0) return;
    const forgotten = this.#tooOld(0);
    kept.passed(put, forgotten);
    this.#take([], forgotten);
  }

  #take(changed: readonly KeptKey[], forgotten: readonly string[]): void {
    const ended = changed.flatMap((key) => this.#index.put(key));
    for (const id of forgotten) {
      this.#index.forget(id);
      this.#early.forget(id);
    }
    this.#wait();
    for (const caller of ended) for (const listener of this.#listeners) listener(caller);
  }

  #wait(): void {
    const { clock } = this.#parts;
    this.#next?.cancel();
    const next = Math.min(...this.#index.active().map(nextOf));
    if (this.#isStopped || (next === Number.POSITIVE_INFINITY && !this.#early.any)) return;
    const ms = Math.min(Math.max(next - clock.date().getTime(), 0), longestWaitMs);
    this.#next = clock.after(ms, () => this.#look());
  }

  /** The oldest of those that have ended, where with `more` there would be too many. */
  #tooOld(more: number): readonly string[] {
    const ended = this.#index.all().filter((key) => key.ended !== null);
    const over = ended.length + more - endedKnown;
    if (over <= 0) return [];
    const oldestFirst = ended.toSorted((one, other) => (one.endedAt ?? 0) - (other.endedAt ?? 0));
    return oldestFirst.slice(0, over).map(({ id }) => id);
  }

  #noteUse(opening: Opening, now: number): void {
    opening.usedMinute = minuteOf(now);
    this.#index.used(opening, now);
    this.#used.set(opening.keyId, now);
    if (this.#isStopped) return;
    this.#nextUse ??= this.#parts.clock.after(gatherUsesMs, () => this.#keepUses());
  }

  #keepUses(): void {
    this.#nextUse = undefined;
    if (this.#used.size === 0) return;
    this.#parts.kept.used(
      this.#used
        .entries()
        .map(([id, at]) => ({ id, at }))
        .toArray(),
    );
    this.#used.clear();
  }

  #needsOwner(): void {
    if (this.#parts.hasOwner) return;
    throw new Problem(
      'keys-need-api-key',
      'API_KEY is not set, so everybody can do everything without a key: set it, for example to the output of `openssl rand -base64 32`, restart the service, and create keys with it',
    );
  }
}
