import { readJson } from '@steward/service-kit/json';
import type { Log } from '@steward/service-kit/log/logger';
import { isFinal, type Operation, operation } from '../game/operations/operation.ts';
import { OperationIndex, retention } from '../game/operations/operation-index.ts';
import type { OperationStore } from '../game/operations/operations.ts';
import type { OperationWrite } from './operations.ts';
import type { StateDirectory } from './state-directory.ts';
import type { Writer } from './writer.ts';

/** After so many writes those that are forgotten are taken away. */
const forgetEvery = 500;

export interface KeptOperationsParts {
  readonly writer: Pick<Writer, 'write'>;
  /** The bodies that an earlier process kept, the oldest first. */
  readonly kept: () => readonly string[];
  /** Why nothing is kept, where that is so. */
  readonly keepsNothing: () => string | undefined;
  readonly now: () => Date;
  readonly log: Pick<Log, 'warn'>;
  readonly disk: Pick<StateDirectory, 'failed'>;
}

/** Operations in the database: each state is on the disk before anything is done by it. */
export class KeptOperations implements OperationStore {
  readonly #parts: KeptOperationsParts;
  /** The newest states that are not known to be kept. */
  readonly #unkept: OperationIndex;
  #writes = 0;

  constructor(parts: KeptOperationsParts) {
    this.#parts = parts;
    this.#unkept = new OperationIndex(parts.now);
  }

  async load(): Promise<Operation[]> {
    if (this.keepsNothing !== undefined) return [];
    const index = new OperationIndex(this.#parts.now);
    let unreadable = 0;
    for (const body of this.#parts.kept()) {
      const read = operation.safeParse(readJson(body));
      if (read.success) index.put(read.data);
      else unreadable += 1;
    }
    if (unreadable > 0)
      this.#parts.log.warn({ operations: unreadable }, 'unreadable operations in STATE_DIR');
    return index.values();
  }

  get keepsNothing(): string | undefined {
    return this.#parts.keepsNothing();
  }

  async write(changed: Operation): Promise<void> {
    if (this.keepsNothing !== undefined) return;
    this.#unkept.put(changed);
    try {
      await this.#keep(changed);
    } catch (error) {
      this.#parts.disk.failed(error, () => this.#again());
      throw error;
    }
  }

  /** What could not be kept is tried a last time. */
  async close(): Promise<void> {
    await this.#again().catch(() => {});
  }

  async #keep(changed: Operation): Promise<void> {
    this.#forgetSometimes();
    await this.#parts.writer.write(rowOf(changed), 'durable');
    // By now it may have come into another state, which is not.
    if (this.#unkept.get(changed.id) === changed) this.#unkept.forget(changed.id);
  }

  async #again(): Promise<void> {
    await Promise.all(this.#unkept.values().map((each) => this.#keep(each)));
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
