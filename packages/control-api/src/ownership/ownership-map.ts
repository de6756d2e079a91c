import { JsonFormat } from '@steward/service-kit/files/json-format';
import type { OwnershipFacts } from '@steward/shared/api/answers/farmhands';
import { saveGeneration } from '@steward/shared/bridge/hello';
import type { Identity } from '@steward/shared/connection-id';
import { identitySpace } from '@steward/shared/ids';
import { int64Text, timestamp, uint64Text } from '@steward/shared/wire-values';
import { z } from 'zod';
import { writtenOperation } from '../game/operations/operation.ts';
import type { BridgeState } from '../game/state/bridge-state.ts';

/** What is written down of one farmhand: who owns it and who said so, or that an operator has released it. */
const ownerRecord = z.discriminatedUnion('owner', [
  z.object({
    owner: z.enum(['platform', 'network']),
    id: uint64Text,
    origin: z.enum(['claim', 'operator']),
  }),
  z.object({ owner: z.literal('released'), origin: z.literal('operator') }),
]);

export type OwnerRecord = Readonly<z.infer<typeof ownerRecord>>;

export const releasedRecord: OwnerRecord = { owner: 'released', origin: 'operator' };

export function claimOf({ space, id }: Identity): OwnerRecord {
  return { owner: space, id: id.toString(), origin: 'claim' };
}

/** The operator gives digits alone; which id space they are of, their range tells. */
export function operatorRecordOf(digits: string): OwnerRecord {
  return { owner: identitySpace(BigInt(digits)), id: digits, origin: 'operator' };
}

export function isOwner(record: OwnerRecord | undefined, { space, id }: Identity): boolean {
  return record?.owner === space && record.id === id.toString();
}

export function factsOf(record: OwnerRecord | undefined): OwnershipFacts {
  if (record === undefined) return { owned: false, released: false };
  if (record.owner === 'released') return { owned: false, released: true };
  return { owned: true, released: false, door: record.owner, origin: record.origin };
}

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
  /** Released farmhands that somebody took who came by address: no record is left to overrule a stamp that comes back. */
  unstamped: z.array(int64Text).optional(),
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

export const ownershipFormat = new JsonFormat<OwnershipMap>(currentVersion, mapContent);

/** The map of the farm that is loaded, as far as it is read. */
interface ReadMap {
  readonly farmId: string | undefined;
  readonly map: OwnershipMap | undefined;
}

interface Shown {
  readonly id: string;
  readonly isCustomized: boolean;
}

/**
 * Whose a farmhand is, for those who may read it; undefined where nobody can tell: before the map of its farm is read, where it
 * cannot be, and where the record may have stood in one that was lost.
 */
export function knownFacts(
  { farmId, map }: ReadMap,
  { farm }: Pick<BridgeState['sections'], 'farm'>,
): (farmhand: Shown) => OwnershipFacts | undefined {
  if (map === undefined || farmId !== farm?.farmId) return () => undefined;
  // There may be thousands of both.
  const doubtful = new Set(map.doubts?.farmhands);
  return ({ id, isCustomized }) =>
    isCustomized && doubtful.has(id) ? undefined : factsOf(map.farmhands[id]);
}
