import { operationCommand, operationState } from '@steward/shared/api/answers/operations';
import { commandId } from '@steward/shared/bridge/commands';
import { farmId } from '@steward/shared/bridge/hello';
import { appliedOutcome, refusalCodes, refusedOutcome } from '@steward/shared/bridge/outcome';
import { shallowFacts } from '@steward/shared/json/shallow';
import { timestamp } from '@steward/shared/timestamp';
import { z } from 'zod';
import { handsOf, type OperationCommandName } from './operation-commands.ts';

export type OperationState = z.infer<typeof operationState>;

/** What a change of settings changed in the settings file. */
const settingsFileChange = z.object({ before: shallowFacts, after: shallowFacts });

export type SettingsFileChange = Readonly<z.infer<typeof settingsFileChange>>;

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
  /** Of a change of settings: what it is to change in the file once the game has applied it, and what stood there. */
  settingsAsked: settingsFileChange.optional(),
  /** There once the file is written: only then is a change of settings done. */
  settingsFile: settingsFileChange.optional(),
});

export type Operation = Readonly<z.infer<typeof operation>>;

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
  const isOurs = outcome.code === 'failed' && handsOf(command) === 'own';
  return isOurs || refusalCodes[outcome.code].transient;
}

/** What is not in a journal of our own never was on the disk: whoever was told so may have it done under the same key. */
export function neverApplied(command: OperationCommandName): Pick<Operation, 'why' | 'unkept'> {
  return handsOf(command) === 'own'
    ? { why: 'it was not written down', unkept: true }
    : { why: "the game's journal says that it was not applied" };
}
