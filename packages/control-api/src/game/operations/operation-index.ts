import { createHash, randomBytes } from 'node:crypto';
import type { SettledTime } from '@steward/service-kit/settled-time';
import { isFinal, isTransient, type Operation } from './operation.ts';

/** What a request is, whatever the order in which its members were written. */
export function fingerprintOf(request: unknown): string {
  return digest(stable(request)).toString('hex').slice(0, 32);
}

export function keyDigestOf(key: string): string {
  return digest(key).toString('hex').slice(0, 32);
}

/**
 * The same key and request on the same day give the same id, so that the game's journal knows a retry even when
 * the record of the first attempt is lost. The day keeps a key that is used for ever from being answered by a journal
 * long after this side has forgotten it.
 */
export function derivedCommandId(keyDigest: string, fingerprint: string, date: Date): string {
  const day = date.toISOString().slice(0, 10);
  return digest(`${keyDigest} ${fingerprint} ${day}`).readBigUInt64BE().toString();
}

export function randomCommandId(): string {
  return randomBytes(8).readBigUInt64BE().toString();
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stable(member)}`).join()}}`;
}

/**
 * How far back a key or an id is known, by when it ended: whichever is reached first. Those without a key, such as every line of the chat, count
 * for themselves: however many there are, no key is forgotten for them.
 */
export const retention = { keys: 1_000, withoutKey: 1_000, ms: 24 * 60 * 60 * 1_000 } as const;

export function isForgotten(at: string, now: number): boolean {
  return Date.parse(at) < now - retention.ms;
}

/** Of a clock that was ahead: it says nothing of those behind it. */
function isAhead({ createdAt }: Operation, now: number): boolean {
  return Number.isFinite(now) && Date.parse(createdAt) > now;
}

/** Oldest first. */
type Shelf = Map<string, Operation>;

/**
 * The operations that are remembered, by id and by key. Those that are not settled are never forgotten, and by a clock that was just set
 * none is too old: a retry would be done twice.
 */
export class OperationIndex {
  readonly #keyed: Shelf = new Map();
  readonly #unkeyed: Shelf = new Map();
  readonly #byKey = new Map<string, string>();
  /** When each came here, by the clock that nobody sets; of what an earlier process left that is not known. */
  readonly #cameAt = new WeakMap<Operation, number>();
  readonly #time: Pick<SettledTime, 'now' | 'elapsed'>;

  constructor(time: Pick<SettledTime, 'now' | 'elapsed'>) {
    this.#time = time;
  }

  get size(): number {
    return this.#keyed.size + this.#unkeyed.size;
  }

  get(id: string): Operation | undefined {
    return this.#keyed.get(id) ?? this.#unkeyed.get(id);
  }

  /** The operation that holds the key; one that was refused for the moment has let go of it. */
  holderOf(keyDigest: string): Operation | undefined {
    this.#forgetOld();
    const id = this.#byKey.get(keyDigest);
    const holder = id === undefined ? undefined : this.#keyed.get(id);
    return holder === undefined || isTransient(holder) ? undefined : holder;
  }

  /** A new operation comes last; one that only changed keeps its place. */
  put(operation: Operation): void {
    this.#cameAt.set(operation, this.#time.elapsed());
    this.takeUp(operation);
  }

  /** As `put`, of what an earlier process left. */
  takeUp(operation: Operation): void {
    const { id, keyDigest } = operation;
    const [shelf, other] =
      keyDigest === undefined ? [this.#unkeyed, this.#keyed] : [this.#keyed, this.#unkeyed];
    const known = shelf.get(id);
    if (known !== undefined && isFinal(known) && !isFinal(operation)) shelf.delete(id);
    other.delete(id);
    shelf.set(id, operation);
    if (keyDigest !== undefined) this.#byKey.set(keyDigest, id);
    this.#forgetOld();
  }

  values(): Operation[] {
    return [...this.#keyed.values(), ...this.#unkeyed.values()];
  }

  newestFirst(): Operation[] {
    // Times of the one form sort as text does.
    return this.values()
      .toReversed()
      .sort(
        (one, other) => Number(one.createdAt < other.createdAt) - Number(one.createdAt > other.createdAt),
      );
  }

  /** As if it had never been. */
  forget(id: string): void {
    for (const shelf of [this.#keyed, this.#unkeyed]) {
      const operation = shelf.get(id);
      if (operation !== undefined) this.#forget(operation, shelf);
    }
  }

  #forgetOld(): void {
    const now = this.#time.now();
    this.#trim(this.#keyed, retention.keys, now);
    this.#trim(this.#unkeyed, retention.withoutKey, now);
  }

  #trim(shelf: Shelf, most: number, now: number): void {
    for (const operation of shelf.values()) {
      const areTooMany = shelf.size > most;
      const isNew = !isForgotten(operation.createdAt, now) && !isAhead(operation, now);
      // Those behind it began later, and have not ended before they began.
      if (isNew && !areTooMany) return;
      const isOld = areTooMany || this.#isOld(operation, now);
      if (isOld && isFinal(operation)) this.#forget(operation, shelf);
    }
  }

  /** What came here is old only once it has been here for so long, too: its time may be of a clock that was far behind. */
  #isOld(operation: Operation, now: number): boolean {
    const cameAt = this.#cameAt.get(operation) ?? Number.NEGATIVE_INFINITY;
    return isForgotten(operation.changedAt, now) && cameAt < this.#time.elapsed() - retention.ms;
  }

  #forget({ id, keyDigest }: Operation, shelf: Shelf): void {
    shelf.delete(id);
    if (keyDigest !== undefined && this.#byKey.get(keyDigest) === id) this.#byKey.delete(keyDigest);
  }
}
