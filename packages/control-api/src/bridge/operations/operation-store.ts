import type { Operation } from './operation.ts';

/** Where operations outlive the process. */
export interface OperationStore {
  load(): Promise<Operation[]>;
  /** Resolves when the operation, in this state, would survive a power cut. */
  write(operation: Operation): Promise<void>;
  close(): Promise<void>;
}
