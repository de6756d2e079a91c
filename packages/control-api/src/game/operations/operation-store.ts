import type { Operation } from './operation.ts';

/** Where operations outlive the process. */
export interface OperationStore {
  load(): Promise<Operation[]>;
  /** Why nothing is kept over restarts, where that is so: then nobody may be promised that a retry is known. */
  readonly keepsNothing?: string | undefined;
  /** Resolves when the operation, in this state, would survive a power cut. */
  write(operation: Operation): Promise<void>;
  close(): Promise<void>;
}
