import { rpcErrorCodes } from '@steward/shared/bridge/json-rpc';
import { type AppliedOutcome, type CommandOutcome, commandOutcome } from '@steward/shared/bridge/outcome';
import type { Answer } from '../rpc/answer.ts';
import { type OperationCommandName, operationCommands } from './operation-commands.ts';

/** What a game's answer says; undefined where it says nothing that can be relied upon. */
export function readOutcome(command: OperationCommandName, answer: Answer): CommandOutcome | undefined {
  if (answer.kind === 'closed') return undefined;
  if (answer.kind === 'error') {
    if (answer.code !== rpcErrorCodes.methodNotFound) return undefined;
    return { outcome: 'refused', code: 'unsupported', message: `The game does not know ${command}` };
  }
  const parsed = commandOutcome.safeParse(answer.result);
  if (!parsed.success) return undefined;
  if (parsed.data.outcome === 'applied' && !isChangeOf(command, parsed.data)) return undefined;
  return parsed.data;
}

export function isChangeOf(command: OperationCommandName, { before, after }: AppliedOutcome): boolean {
  const { change } = operationCommands[command];
  return change.safeParse(before).success && change.safeParse(after).success;
}
