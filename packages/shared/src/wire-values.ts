import { z } from 'zod';
import { parseInt64, parseUint64 } from './ids.ts';

/** ISO 8601, UTC, with milliseconds: the one form of a time on any wire here. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601 UTC with milliseconds', examples: ['2026-11-21T06:30:00.000Z'] });

/** Of a date, or of the milliseconds since 1970. */
export function timestampOf(at: Date | number): string {
  return new Date(at).toISOString();
}

/** An int64 as the decimal string that wires carry: canonical, so that equal ids are equal strings. */
export const int64Text = z
  .string()
  .regex(/^(0|-?[1-9][0-9]{0,18})$/, 'is not a canonical decimal integer')
  .refine((text) => parseInt64(text).ok, 'is outside the signed 64-bit range')
  .meta({ description: 'A signed 64-bit integer as a decimal string', examples: ['620826087702429092'] });

/** A uint64 as the decimal string that wires carry: canonical, so that equal ids are equal strings. */
export const uint64Text = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,19})$/, 'is not a canonical decimal integer')
  .refine((text) => parseUint64(text).ok, 'is outside the unsigned 64-bit range')
  .meta({ description: 'An unsigned 64-bit integer as a decimal string', examples: ['76561198000000001'] });

/** What a game may ask for. */
export const requestableVisibility = z.enum(['private', 'friends-only', 'public', 'invisible']);

export type RequestableVisibility = z.infer<typeof requestableVisibility>;

/**
 * What it gets, at both sites that create a lobby. The host's account is nobody's friend, so a lobby of any other
 * visibility would refuse the players who hold its code.
 */
export const lobbyVisibility = 'public' satisfies RequestableVisibility;

/** One of these, of a program that may be newer than this one: a word that is not known here is heard as `instead`. */
export function heardAs<Word extends string>(words: z.ZodType<Word>, instead: NoInfer<Word>) {
  return words.or(z.string().transform(() => instead));
}

/** Words for a person. Too many of them are cut, not refused: a long reason must not cost the message that it stands in. */
export function humanText(longest: number) {
  return z.string().transform((text) => cut(text, longest));
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // Half a character would not be text any more.
  return `${text
    .slice(0, longest - 1)
    .toWellFormed()
    .replace(/\ufffd$/u, '')}…`;
}

/** How somebody is called in the game, which lets mods make names of any length: they are kept, and told to everybody. */
export const nameInGame = humanText(200).pipe(z.string());

/** What somebody says in the game. */
export const lineInGame = z.string().min(1).pipe(humanText(1_000));

/** What is passed on without a look at its form never has more than a few levels; writing JSON is recursive, and ends at thousands. */
const mostLevels = 32;

/** Members whose form is somebody else's to know: kept, shown and written again as they came. */
export const shallowFacts = z
  .record(z.string(), z.unknown())
  .refine(isShallow, `is nested more than ${mostLevels} levels deep`);

function isShallow(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= mostLevels; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return true;
  }
  return false;
}
