import { journalEntry } from '@steward/shared/bridge/claims';
import { saveGeneration } from '@steward/shared/bridge/hello';
import { int64Text } from '@steward/shared/ids/int64';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { timestamp } from '@steward/shared/timestamp';
import { z } from 'zod';
import { ownerRecord } from './owner.ts';

export const currentVersion = 1;

/** Operations whose outcome a crash may have left open; there are never more than a few. */
export const longestJournal = 100;

const mapContent = z.object({
  version: z.literal(currentVersion),
  /** The farm's save at which this was written: a farm that is older now has gone back. */
  saveGeneration,
  farmhands: z.record(int64Text, ownerRecord),
  /** Farmhands whose owners stood in a file that could not be read, and where that file is kept. */
  doubts: z.object({ since: timestamp, aside: z.string(), farmhands: z.array(int64Text) }).optional(),
  /** What an operator has done, written together with its effect. */
  journal: z.array(journalEntry.options[0]).max(longestJournal),
});

const versioned = z.looseObject({ version: z.number() });

/** Who owns which farmhand of one farm. Never changed in place. */
export type OwnershipMap = Readonly<z.infer<typeof mapContent>>;

export const emptyMap: OwnershipMap = {
  version: currentVersion,
  saveGeneration: 0,
  farmhands: {},
  journal: [],
};

export function printMap(map: OwnershipMap): string {
  return `${JSON.stringify(map, null, 2)}\n`;
}

/** A file of a newer version is not corrupt: the program that wrote it will want it back. */
export function parseMap(text: string): Parsed<OwnershipMap> & { readonly unreadable?: 'corrupt' | 'newer' } {
  const json = parseJson(text);
  const parsed = mapContent.safeParse(json);
  if (parsed.success) return accepted(parsed.data);
  const newer = versioned.safeParse(json);
  if (newer.success && newer.data.version > currentVersion)
    return {
      ...refused(`was written by a newer version of this program (format ${newer.data.version})`),
      unreadable: 'newer',
    };
  return { ...refused('is corrupt'), unreadable: 'corrupt' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
