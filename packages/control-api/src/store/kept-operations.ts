import { readJson } from '@steward/service-kit/json';
import type { Log } from '@steward/service-kit/log/logger';
import { isFinal, type Operation, operation } from '../game/operations/operation.ts';
import { OperationIndex, retention } from '../game/operations/operation-index.ts';
import type { OperationStore } from '../game/operations/operations.ts';
import { type Fact, factNames } from './facts.ts';
import type { NewerFiles } from './newer-files.ts';
import type { OperationWrite } from './operations.ts';
import { changedOperationsFile, readOperations } from './operations-format.ts';
import type { StateDirectory } from './state-directory.ts';
import { StoreError } from './store-error.ts';
import type { Writer } from './writer.ts';

/** After so many writes those that are forgotten are taken away. */
const forgetEvery = 500;

/** Of what could not be kept: others have to find room among what waits for the disk. */
const againAtOnce = 500;

export interface KeptOperationsParts {
  readonly writer: Pick<Writer, 'write'>;
  /** The bodies that an earlier process kept, the oldest first. */
  readonly kept: () => readonly string[];
  readonly fact: (name: Fact['name']) => string | undefined;
  /** Why nothing is kept, where that is so. */
  readonly noDatabase: () => string | undefined;
  /** Where a version before may have left operations. */
  readonly oldFile: string;
  readonly now: () => Date;
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
  #keysLostAt: string | undefined;
  /** Why what earlier processes kept is not read yet. */
  #notRead: string | undefined;
  #take: (kept: readonly Operation[]) => void = () => {};
  #reading: Promise<void> = Promise.resolve();

  constructor(parts: KeptOperationsParts) {
    this.#parts = parts;
    this.#unkept = new OperationIndex(parts.now);
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
      this.#parts.log.warn({ err: error }, 'what became of earlier commands cannot be read');
    }
    await this.#again().catch((error) => this.#parts.disk.failed(error, () => this.#again()));
  }

  async #read(): Promise<Operation[]> {
    const bodies = this.#parts.kept();
    const kept = bodies.map((body) => operation.safeParse(readJson(body)).data);
    const readable = kept.filter((each) => each !== undefined);
    this.#tellUnreadable(bodies.length - readable.length);
    this.#keysLostAt = this.#parts.fact(factNames.keysLost);
    const old = await this.#old();
    const index = new OperationIndex(this.#parts.now);
    for (const each of [...readable, ...(old?.operations ?? [])].toSorted(byAge)) index.put(each);
    if (old !== undefined)
      this.#takeOver(
        old.operations.filter((each) => index.get(each.id) === each),
        old.state,
      );
    return index.values();
  }

  get unreadable(): string | undefined {
    return this.#parts.noDatabase() ?? this.#notRead ?? this.#oldUnreadable ?? this.#lost;
  }

  async write(changed: Operation): Promise<void> {
    this.#unkept.put(changed);
    if (this.#parts.noDatabase() !== undefined) return;
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

  /** Keys that another database knew, which is not here any more, may come again for as long as they would have been known. */
  get #lost(): string | undefined {
    const at = this.#keysLostAt;
    const until = new Date(Date.parse(at ?? '') + retention.ms);
    if (at === undefined || until <= this.#parts.now()) return undefined;
    return `the database was begun anew, or put back from a backup, on ${at}, and which keys had been sent is lost: keys are taken again from ${until.toISOString()}`;
  }

  /** What a version before left, or wrote since it was last read. */
  async #old(): Promise<{ readonly operations: readonly Operation[]; readonly state: string } | undefined> {
    const { oldFile, newerFiles, fact } = this.#parts;
    const file = await changedOperationsFile(oldFile, fact(factNames.operationsFile));
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
    const write = { kind: 'take-over-operations', operations: operations.map(rowOf), fact } as const;
    this.#parts.writer.write(write, 'late').catch(() => {});
  }

  #tellUnreadable(operations: number): void {
    if (operations > 0) this.#parts.log.warn({ operations }, 'unreadable operations in STATE_DIR');
  }

  async #keep(changed: Operation): Promise<void> {
    this.#forgetSometimes();
    await this.#parts.writer.write(rowOf(changed), 'durable');
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
    const before = this.#parts.now().getTime() - retention.ms;
    const { keys: keepWithKey, withoutKey: keepWithoutKey } = retention;
    // It is tried again; what keeps it from that is said by the others.
    this.#parts.writer
      .write({ kind: 'forget-operations', before, keepWithKey, keepWithoutKey }, 'late')
      .catch(() => {});
  }
}

function rowOf(changed: Operation): OperationWrite {
  return {
    kind: 'operation',
    id: changed.id,
    createdAt: Date.parse(changed.createdAt),
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
