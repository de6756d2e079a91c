import type { DatabaseSync } from 'node:sqlite';
import { readJson } from '@steward/service-kit/json';
import type { Log } from '@steward/service-kit/log/logger';
import type { SettledTime } from '@steward/service-kit/settled-time';
import { isFinal, type Operation, operation } from '../../game/operations/operation.ts';
import { OperationIndex, retention } from '../../game/operations/operation-index.ts';
import type { OperationStore } from '../../game/operations/operations.ts';
import type { NewerFiles } from '../directory/newer-files.ts';
import { changedOperationsFile, readOperations } from '../directory/operations-format.ts';
import type { StateDirectory } from '../directory/state-directory.ts';
import { factNames, factOf } from '../tables/facts.ts';
import { keptOperations, type OperationWrite } from '../tables/operations.ts';
import { StoreError } from '../tables/store-error.ts';
import type { Writer } from '../writing/writer.ts';

/** What an earlier process kept. */
export interface LeftOperations {
  /** The oldest first. */
  readonly bodies: readonly string[];
  /** The file of a version before, as it was when it was taken over. */
  readonly file: string | undefined;
}

export const noOperations: LeftOperations = { bodies: [], file: undefined };

export function leftOperations(database: DatabaseSync): LeftOperations {
  return { bodies: keptOperations(database), file: factOf(database, factNames.operationsFile) };
}

/** After so many writes those that are forgotten are taken away. */
const forgetEvery = 500;

/** Of what could not be kept: others have to find room among what waits for the disk. */
const againAtOnce = 500;

export interface KeptOperationsParts {
  readonly writer: Pick<Writer, 'write'>;
  /** To be asked for once. */
  readonly left: () => LeftOperations;
  /** Why nothing is kept, where that is so. */
  readonly noDatabase: () => string | undefined;
  /** Why it is not known which keys were sent before, where that is so. */
  readonly keysLost: () => string | undefined;
  /** Where a version before may have left operations. */
  readonly oldFile: string;
  readonly settled: SettledTime;
  readonly log: Pick<Log, 'warn'>;
  readonly newerFiles: NewerFiles;
  readonly disk: Pick<StateDirectory, 'failed'>;
}

/** Operations in the database: each state is on the disk before anything is done by it. */
export class KeptOperations implements OperationStore {
  readonly #parts: KeptOperationsParts;
  /** The newest states that are not known to be kept. */
  readonly #unkept: OperationIndex;
  #writes = 0;
  /** Why the keys that the older file knows cannot be read. */
  #oldUnreadable: string | undefined;
  /** Why what earlier processes kept is not read yet. */
  #notRead: string | undefined;
  #take: (kept: readonly Operation[]) => void = () => {};
  #reading: Promise<void> = Promise.resolve();

  constructor(parts: KeptOperationsParts) {
    this.#parts = parts;
    this.#unkept = new OperationIndex(parts.settled);
  }

  async load(): Promise<Operation[]> {
    this.#notRead = this.#parts.noDatabase();
    return this.#notRead === undefined ? this.#read() : [];
  }

  late(take: (kept: readonly Operation[]) => void): void {
    this.#take = take;
  }

  /** The database can be used after all: no key is taken before those are known that it holds. */
  opened(): void {
    this.#reading = this.#readLate();
  }

  async #readLate(): Promise<void> {
    try {
      this.#take(await this.#read());
      this.#notRead = undefined;
    } catch (error) {
      this.#notRead = error instanceof Error ? error.message : String(error);
      this.#parts.log.warn({ err: error }, 'the outcomes of earlier commands cannot be read');
    }
    await this.#again().catch((error) => this.#parts.disk.failed(error, () => this.#again()));
  }

  async #read(): Promise<Operation[]> {
    const { bodies, file } = this.#parts.left();
    const kept = bodies.map((body) => operation.safeParse(readJson(body)).data);
    const readable = kept.filter((each) => each !== undefined);
    this.#tellUnreadable(bodies.length - readable.length);
    const old = await this.#old(file);
    const index = new OperationIndex(this.#parts.settled);
    for (const each of [...readable, ...(old?.operations ?? [])].toSorted(byAge)) index.takeUp(each);
    if (old !== undefined)
      this.#takeOver(
        old.operations.filter((each) => index.get(each.id) === each),
        old.state,
      );
    return index.values();
  }

  get unreadable(): string | undefined {
    return this.#parts.noDatabase() ?? this.#notRead ?? this.#oldUnreadable ?? this.#parts.keysLost();
  }

  async write(changed: Operation): Promise<void> {
    const lost = this.#parts.noDatabase();
    // Its key was taken while there was a database: a retry of it would not be known after a restart.
    if (lost !== undefined && changed.state === 'claimed' && changed.keyDigest !== undefined)
      throw new StoreError('unreadable', lost);
    this.#unkept.put(changed);
    if (lost !== undefined) return;
    try {
      await this.#keep(changed);
    } catch (error) {
      // The database broke under it: with a key it is refused, as it may come again; without, it is done as what comes next.
      if (this.#parts.noDatabase() !== undefined && changed.keyDigest === undefined) return;
      if (!(error instanceof StoreError && error.isLasting))
        this.#parts.disk.failed(error, () => this.#again());
      throw error;
    }
  }

  /** What could not be kept is tried a last time. */
  async close(): Promise<void> {
    await this.#reading;
    await this.#again().catch(() => {});
  }

  /** What a version before left, or wrote since it was last read. */
  async #old(
    known: string | undefined,
  ): Promise<{ readonly operations: readonly Operation[]; readonly state: string } | undefined> {
    const { oldFile, newerFiles } = this.#parts;
    const file = await changedOperationsFile(oldFile, known);
    if (file === undefined) return undefined;
    const read = readOperations(file.text);
    if (read.kind === 'newer') {
      const { reason, remedy } = newerFiles.met(oldFile, read);
      this.#oldUnreadable = `${reason}. ${remedy}`;
      return undefined;
    }
    this.#tellUnreadable(read.unreadable);
    return { operations: read.operations, state: file.state };
  }

  /** Once, and the file is left as it lies. Where it cannot be kept now, which others say, the next start does it again. */
  #takeOver(operations: readonly Operation[], state: string): void {
    const fact = { name: factNames.operationsFile, value: state };
    const write = { kind: 'take-over-operations', operations: operations.map(operationRow), fact } as const;
    this.#parts.writer.write(write, 'late').catch(() => {});
  }

  #tellUnreadable(operations: number): void {
    if (operations > 0) this.#parts.log.warn({ operations }, 'unreadable operations in STATE_DIR');
  }

  async #keep(changed: Operation): Promise<void> {
    this.#forgetSometimes();
    await this.#parts.writer.write(operationRow(changed), 'durable');
    // By now it may have come into another state, which is not.
    if (this.#unkept.get(changed.id) === changed) this.#unkept.forget(changed.id);
  }

  async #again(): Promise<void> {
    const ids = this.#unkept.values().map(({ id }) => id);
    for (let first = 0; first < ids.length && this.#parts.noDatabase() === undefined; first += againAtOnce) {
      // As they are by now: an older state may not come after a newer one.
      const some = ids.slice(first, first + againAtOnce).map((id) => this.#unkept.get(id));
      await Promise.all(some.filter((each) => each !== undefined).map((each) => this.#keep(each)));
    }
  }

  #forgetSometimes(): void {
    this.#writes += 1;
    if (this.#writes % forgetEvery !== 1) return;
    const before = this.#parts.settled.now() - retention.ms;
    const { keys: keepWithKey, withoutKey: keepWithoutKey } = retention;
    // It is tried again; what keeps it from that is said by the others.
    this.#parts.writer
      .write({ kind: 'forget-operations', before, keepWithKey, keepWithoutKey }, 'late')
      .catch(() => {});
  }
}

export function operationRow(changed: Operation): OperationWrite {
  return {
    kind: 'operation',
    id: changed.id,
    changedAt: Date.parse(changed.changedAt),
    hasKey: changed.keyDigest !== undefined,
    isFinal: isFinal(changed),
    body: JSON.stringify(changed),
  };
}

/** By when each began, and came into its state. Times of the one form sort as text does. */
function byAge(one: Operation, other: Operation): number {
  const order = ({ createdAt, changedAt }: Operation) => `${createdAt} ${changedAt}`;
  return Number(order(one) > order(other)) - Number(order(one) < order(other));
}
