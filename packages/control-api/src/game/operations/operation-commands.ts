import { type Command, commands, isCommandName } from '@steward/shared/bridge/commands';
import { type OwnershipCommand, ownershipCommands } from './ownership-commands.ts';

/** Everything that can be an operation: what a game is told to do, and what this service does itself. */
export const operationCommands = { ...commands, ...ownershipCommands };

export type OperationCommand = Command | OwnershipCommand;
export type OperationCommandName = keyof typeof operationCommands;

/** Who carries a command out, and so whose journal knows whether it was. */
export type Hands = 'game' | 'own';

export function handsOf(name: OperationCommandName): Hands {
  return isCommandName(name) ? 'game' : 'own';
}
