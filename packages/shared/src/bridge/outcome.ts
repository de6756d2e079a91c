import { z } from 'zod';
import { humanText, int64Text, nameInGame, shallowFacts } from '../wire-values.ts';
import { commandId } from './commands.ts';

/**
 * Why a game did not do what it was told. A transient refusal speaks of the moment, not of the command: the same
 * command may be given again.
 */
export const refusalCodes = {
  'not-found': { transient: false, meaning: 'there is no such player, farmhand or lobby' },
  ambiguous: { transient: false, meaning: 'several have this name; `matches` lists them' },
  online: { transient: false, meaning: 'the farmhand is online' },
  offline: { transient: false, meaning: 'the player is not on the farm' },
  'players-online': { transient: false, meaning: 'somebody is on the farm, which saves when the day ends' },
  'out-of-range': { transient: false, meaning: 'a value is outside the range that the game accepts' },
  unsupported: { transient: false, meaning: 'this game cannot do that at all' },
  failed: { transient: false, meaning: 'the game tried, and nothing was changed' },
  'not-ready': { transient: true, meaning: 'no farm is loaded, or a day is ending' },
  saving: { transient: true, meaning: 'the game is saving' },
  busy: { transient: true, meaning: 'the game is running too many commands' },
} as const;

export type RefusalCode = keyof typeof refusalCodes;

const codes = Object.keys(refusalCodes) as [RefusalCode, ...RefusalCode[]];

/** A code that only a newer game knows is one more reason for which nothing was changed. */
const refusalCode = z.union([
  z.enum(codes),
  z
    .string()
    .min(1)
    .max(64)
    .transform(() => 'failed' as const),
]);

export const namedPlayer = z.object({ id: int64Text, name: nameInGame });

export const appliedOutcome = z.object({
  outcome: z.literal('applied'),
  subject: namedPlayer.optional().meta({ description: 'Whom it was applied to, if it has a target' }),
  before: shallowFacts,
  after: shallowFacts,
});

export const refusedOutcome = z.object({
  outcome: z.literal('refused'),
  code: refusalCode,
  message: humanText(1_000),
  matches: z
    .array(namedPlayer)
    .transform((all) => all.slice(0, 100))
    .optional(),
});

/** The claim was not granted, or the answer to it never came: the game has done nothing and never will. */
const voidOutcome = z.object({ outcome: z.literal('void') });

/** The answer to a command. */
export const commandOutcome = z.discriminatedUnion('outcome', [appliedOutcome, refusedOutcome, voidOutcome]);

export type AppliedOutcome = z.infer<typeof appliedOutcome>;
export type RefusedOutcome = z.infer<typeof refusedOutcome>;
export type CommandOutcome = z.infer<typeof commandOutcome>;

/** Asked by the game when it is about to apply a command. */
export const claimParams = z.object({ command: commandId });

/** Granted at most once for a command; whatever was not granted is never applied. */
export const claimResult = z.discriminatedUnion('granted', [
  z.object({ granted: z.literal(true) }),
  z.object({ granted: z.literal(false), reason: z.string() }),
]);

export const journalParams = z.object({ commands: z.array(commandId).min(1).max(100) });

/**
 * What the game knows of a command. `absent` is a promise: in the farm as it now stands it is not applied, and it
 * never will be under the claim it may once have held.
 */
export const journalEntry = z.discriminatedUnion('state', [
  z.object({ command: commandId, state: z.literal('applied'), outcome: appliedOutcome }),
  z.object({ command: commandId, state: z.literal('working') }),
  z.object({ command: commandId, state: z.literal('absent') }),
]);

/** One entry for each command asked about, in the order of the question. */
export const journalResult = z.object({ entries: z.array(journalEntry).max(100) });

/** The same, for whoever reads each entry by itself: one that cannot be read says nothing of the others. */
export const unreadJournal = z.object({ entries: z.array(z.unknown()).max(100) });

export type ClaimResult = z.infer<typeof claimResult>;
export type JournalEntry = z.infer<typeof journalEntry>;
