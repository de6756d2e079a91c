import { JsonFormat } from '@steward/service-kit/files/json-format';
import { saveGeneration } from '@steward/shared/bridge/hello';
import { int64Text } from '@steward/shared/ids/id-text';
import { timestamp } from '@steward/shared/timestamp';
import { z } from 'zod';
import { writtenOperation } from '../game/operations/operation.ts';
import { ownerRecord } from './owner.ts';

const currentVersion = 1;

/** Of the last operations: a crash may have kept those from the list that ended just before it. */
export const longestJournal = 100;

const mapContent = z.object({
  version: z.literal(currentVersion),
  /** The farm's save at which this was written: a farm that is older now has gone back. */
  saveGeneration,
  farmhands: z.record(int64Text, ownerRecord),
  /** Farmhands whose owners stood in a file that could not be read, and where that file is kept. */
  doubts: z.object({ since: timestamp, aside: z.string(), farmhands: z.array(int64Text) }).optional(),
  /** What an operator has done, written together with its effect. */
  journal: z.array(writtenOperation).max(longestJournal),
});

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

export const ownershipFormat = new JsonFormat<OwnershipMap>(
  {
    name: 'The ownership map of a farm',
    place: 'STATE_DIR/farms/<farmId>/farmhand-ownership.json',
    current: currentVersion,
    migrations: [],
    whenNewer:
      'Nobody is let in, as nobody can tell whose the farmhands are; `/status` says so as `ownership-unreadable`',
  },
  mapContent,
);
