import { operationCommand, operationState } from '@steward/shared/api/answers/operations';
import { commandId } from '@steward/shared/bridge/commands';
import { farmId } from '@steward/shared/bridge/hello';
import {
  type AppliedOutcome,
  appliedOutcome,
  refusalCodes,
  refusedOutcome,
} from '@steward/shared/bridge/outcome';
import { timestamp } from '@steward/shared/timestamp';
import { z } from 'zod';
import { isLocal } from './operation-commands.ts';

export type OperationState = z.infer<typeof operationState>;

/** One command's life, as it is kept over restarts. */
export const operation = z.object({
  id: commandId,
  command: operationCommand,
  state: operationState,
  createdAt: timestamp,
  changedAt: timestamp,
  why: z.string().optional(),
  outcome: z.discriminatedUnion('outcome', [appliedOutcome, refusedOutcome]).optional(),
  /** Of an unknown outcome: nobody keeps a journal that could ever tell. */
  forGood: z.literal(true).optional(),
  /** Of a void one: it could not be written down, or what it would have changed; the key that it was sent under is free. */
  unkept: z.literal(true).optional(),
  farmId: farmId.optional(),
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
export type Ending = Pick<Operation, 'state' | 'why' | 'outcome' | 'forGood' | 'unkept'>;

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
export function isTransient({ command, outcome, unkept }: Operation): boolean {
  if (outcome?.outcome !== 'refused') return unkept === true;
  // What this service could not read somebody mends; of a game, nobody knows why it failed.
  const isOurs = outcome.code === 'failed' && isLocal(command);
  return isOurs || refusalCodes[outcome.code].transient;
}
