import { z } from 'zod';
import { int64Text } from '../ids/id-text.ts';
import { shallowFacts } from '../json/shallow.ts';
import { humanText } from './human-text.ts';

/**
 * Why a game did not do what it was told. A transient refusal speaks of the moment, not of the command: the same
 * command may be given again.
 */
export const refusalCodes = {
  'not-found': { transient: false, meaning: 'there is no such player, farmhand or lobby' },
  ambiguous: { transient: false, meaning: 'the name fits several; `matches` lists them' },
  online: { transient: false, meaning: 'the farmhand is online' },
  'out-of-range': { transient: false, meaning: 'a value is outside what the game takes' },
  unsupported: { transient: false, meaning: 'this game cannot do that at all' },
  failed: { transient: false, meaning: 'the game tried, and nothing was changed' },
  'not-ready': { transient: true, meaning: 'no farm is loaded, or a day is ending' },
  saving: { transient: true, meaning: 'the game is saving' },
  busy: { transient: true, meaning: 'the game has too many commands in hand' },
} as const;

export type RefusalCode = keyof typeof refusalCodes;

const codes = Object.keys(refusalCodes) as [RefusalCode, ...RefusalCode[]];

export const namedPlayer = z.object({ id: int64Text, name: z.string() });

export const appliedOutcome = z.object({
  outcome: z.literal('applied'),
  subject: namedPlayer.optional().meta({ description: 'Whom it was applied to, where there is someone' }),
  before: shallowFacts,
  after: shallowFacts,
});

export const refusedOutcome = z.object({
  outcome: z.literal('refused'),
  code: z.enum(codes),
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
