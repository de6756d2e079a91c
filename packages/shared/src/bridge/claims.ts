import { z } from 'zod';
import { commandId } from './commands.ts';
import { appliedOutcome } from './outcome.ts';

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

export type ClaimResult = z.infer<typeof claimResult>;
export type JournalEntry = z.infer<typeof journalEntry>;
