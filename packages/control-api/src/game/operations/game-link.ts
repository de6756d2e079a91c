import type { JournalEntry } from '@steward/shared/bridge/claims';
import type { Answer } from '../rpc/answer.ts';
import type { Params } from '../rpc/json-rpc-peer.ts';
import type { OperationCommandName } from './operation-commands.ts';

/** The live connection, as far as operations need it. */
export interface GameLink {
  readonly capabilities: ReadonlySet<string>;
  readonly farmId: string | undefined;
  /** Returns what forgets the command: a later answer is ignored. */
  send(command: OperationCommandName, params: Params, settle: (answer: Answer) => void): () => void;
  /** Undefined when the game did not answer, in time or at all. */
  journal(ids: readonly string[]): Promise<readonly JournalEntry[] | undefined>;
}
