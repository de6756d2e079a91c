import { commands, isCommandName } from '@steward/shared/bridge/commands';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import { type OwnershipCommandName, ownershipCommands } from './ownership-commands.ts';

/** Everything that can be an operation: what a game is told to do, and what this service does itself. */
export const operationCommands = { ...commands, ...ownershipCommands };

export type OperationCommandName = keyof typeof operationCommands;

/** No game ever hears of it: it is carried out here, and written down with its effect. */
export function isLocal(name: OperationCommandName): name is OwnershipCommandName {
  return !isCommandName(name);
}

export function isChangeOf(command: OperationCommandName, { before, after }: AppliedOutcome): boolean {
  const { change } = operationCommands[command];
  return change.safeParse(before).success && change.safeParse(after).success;
}
