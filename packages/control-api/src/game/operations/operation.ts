import { operationCommand, operationState } from '@steward/shared/api/answers/operations';
import { type CommandName, commandId, isCommandName } from '@steward/shared/bridge/commands';
import { farmId } from '@steward/shared/bridge/hello';
import {
  type AppliedOutcome,
  appliedOutcome,
  refusalCodes,
  refusedOutcome,
} from '@steward/shared/bridge/outcome';
import { timestamp } from '@steward/shared/wire-values';
import { z } from 'zod';

export type OperationCommandName = z.infer<typeof operationCommand>;

/** What this service carries out itself: no game ever hears of it, and it is written down with its effect. */
type LocalCommandName = Exclude<OperationCommandName, CommandName>;

export function isLocal(name: OperationCommandName): name is LocalCommandName {
  return !isCommandName(name);
}

export type OperationState = z.infer<typeof operationState>;

/** One command's life, as it is kept over restarts. */
export const operation = z.object({
  id: commandId,
  command: operationCommand,
  state: operationState,
  createdAt: timestamp,
  changedAt: timestamp,
  why: z.string().optional(),
  /** What is done now, or was done last, where it is done in steps. */
  step: z.string().optional(),
  outcome: z.discriminatedUnion('outcome', [appliedOutcome, refusedOutcome]).optional(),
  /** Of an unknown outcome: nobody keeps a journal that could ever tell, or nobody can read what it tells. */
  forGood: z.literal(true).optional(),
  /** Of a void one: it could not be written down, or what it would have changed, or a kill cut it off; the key that it was sent under is free. */
  notDurable: z.literal(true).optional(),
  farmId: farmId.optional(),
  /** The operation that this is a step of, which is listed in its place. */
  partOf: commandId.optional(),
  keyDigest: z.string().optional(),
  fingerprint: z.string(),
});

export type Operation = Readonly<z.infer<typeof operation>>;

/**
 * An operation in the file that it changed, written with its effect: that file alone knows of it after a crash. The first version
 * wrote how it ended and nothing else.
 */
export const writtenOperation = z.object({
  /** Its id. */
  command: commandId,
  state: z.literal('applied'),
  outcome: appliedOutcome,
  operation: operation
    .pick({ command: true, createdAt: true, keyDigest: true, fingerprint: true })
    .optional(),
});

export type WrittenOperation = Readonly<z.infer<typeof writtenOperation>>;

export function asWritten({ id, ...operation }: Operation, outcome: AppliedOutcome): WrittenOperation {
  const { command, createdAt, keyDigest, fingerprint } = operation;
  return {
    command: id,
    state: 'applied',
    outcome,
    operation: { command, createdAt, keyDigest, fingerprint },
  };
}

/** How it ended, with all that is to be said of that. */
export type Ending = Pick<Operation, 'state' | 'why' | 'outcome' | 'forGood' | 'notDurable'>;

const transitions: Readonly<Record<OperationState, readonly OperationState[]>> = {
  // Applied without a claim is what a game's journal says of a command that it had applied before.
  pending: ['claimed', 'applied', 'refused', 'void'],
  claimed: ['applied', 'refused', 'void', 'unknown'],
  unknown: ['applied', 'refused', 'void'],
  applied: [],
  refused: [],
  void: [],
};

export function mayBecome(from: OperationState, to: OperationState): boolean {
  return transitions[from].includes(to);
}

/** Whether nothing more will ever be known of it. */
export function isFinal({ state, forGood }: Pick<Operation, 'state' | 'forGood'>): boolean {
  return transitions[state].length === 0 || forGood === true;
}

/** Not done for the moment alone: the key that it was sent under is free for another try. */
export function isTransient({ command, outcome, notDurable }: Operation): boolean {
  if (outcome?.outcome !== 'refused') return notDurable === true;
  // What this service could not read somebody mends; of a game, nobody knows why it failed.
  const isOurs = outcome.code === 'failed' && isLocal(command);
  return isOurs || refusalCodes[outcome.code].transient;
}

/** What is asked for, by which a retry is known. */
export interface Asked {
  readonly name: OperationCommandName;
  readonly request: unknown;
  readonly idempotencyKey: string | undefined;
  /** The farm that it is to be done to, where there is one. */
  readonly farmId?: string | undefined;
  /** The operation that it is a step of, where it is one. */
  readonly partOf?: string | undefined;
}

/** What became of a command. */
export type CommandResult =
  /** Applied, refused, void or unknown: the operation says which, and why. `isRetry` of what nobody waits for, where that had begun before. */
  | { readonly kind: 'operation'; readonly operation: Operation; readonly isRetry?: true }
  /** The key belongs to another request; nothing was sent. */
  | { readonly kind: 'key-reused'; readonly operation: Operation }
  /** This game cannot do that at all; nothing was sent. */
  | { readonly kind: 'unsupported'; readonly command: OperationCommandName }
  /** Its key may have been sent before, and nobody can read whether; nothing was sent. */
  | { readonly kind: 'key-unreadable'; readonly reason: string }
  /** There is no game to send it to; nothing was sent, and the key is free. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs: number };

/** Not done for the moment alone, of which the next try may be told otherwise. */
export function isForTheMoment(result: CommandResult): boolean {
  return result.kind === 'unavailable' || (result.kind === 'operation' && isTransient(result.operation));
}

/** Not done as it could not be written down. */
export function isNotKept(result: CommandResult): boolean {
  return result.kind === 'operation' && result.operation.notDurable === true;
}

/** Refused as somebody plays. */
export function isPlayed(result: CommandResult): boolean {
  const outcome = outcomeOf(result);
  return outcome?.outcome === 'refused' && outcome.code === 'players-online';
}

/** A game saves when it stops, if nobody keeps it from that: then there is one save more. */
export function hasSaved(result: CommandResult): boolean {
  const outcome = outcomeOf(result);
  if (outcome?.outcome !== 'applied') return false;
  return Number(outcome.after['saveGeneration']) > Number(outcome.before['saveGeneration']);
}

function outcomeOf(result: CommandResult) {
  return result.kind === 'operation' ? result.operation.outcome : undefined;
}

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
