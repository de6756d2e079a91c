import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import type { Operation } from './operation.ts';
import type { OperationCommandName } from './operation-commands.ts';

/** What became of a command. */
export type CommandResult =
  /** Applied, refused, void or unknown: the operation says which, and why. */
  | { readonly kind: 'operation'; readonly operation: Operation }
  /** The key belongs to another request; nothing was sent. */
  | { readonly kind: 'key-reused'; readonly operation: Operation }
  /** This game cannot do that at all; nothing was sent. */
  | { readonly kind: 'unsupported'; readonly command: OperationCommandName }
  /** Its key may have been sent before, and nobody can read whether; nothing was sent. */
  | { readonly kind: 'unkept'; readonly reason: string }
  /** There is no game to send it to; nothing was sent, and the key is free. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs: number };

export interface Applied {
  readonly operationId: string;
  readonly outcome: AppliedOutcome;
}

/** What was done; undefined where something else became of the command. */
export function appliedOf(result: CommandResult): Applied | undefined {
  if (result.kind !== 'operation') return undefined;
  const { id, state, outcome } = result.operation;
  if (state !== 'applied' || outcome?.outcome !== 'applied') return undefined;
  return { operationId: id, outcome };
}
