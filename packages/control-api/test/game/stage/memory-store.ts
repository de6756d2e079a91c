import type { Operation } from '../../../src/game/operations/operation.ts';
import type { OperationStore } from '../../../src/game/operations/operations.ts';

/** A disk that outlives the bridge that a test stops. */
export class MemoryStore implements OperationStore {
  readonly kept = new Map<string, Operation>();
  full = false;
  /** While set, writes take until it resolves. */
  slow: Promise<void> | undefined;

  async load(): Promise<Operation[]> {
    return [...this.kept.values()];
  }

  async write(operation: Operation): Promise<void> {
    await this.slow;
    if (this.full) throw new Error('no space left');
    this.kept.set(operation.id, operation);
  }

  async close(): Promise<void> {}
}
