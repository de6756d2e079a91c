import type { FarmhandSlot } from '@steward/shared/bridge/state/people';
import type { WrittenOperation } from '../game/operations/operation.ts';
import { claimOf, isOwner, type OwnerRecord, releasedRecord } from './owner.ts';
import { longestJournal, type OwnershipMap } from './ownership-map.ts';
import type { Visitor } from './visitor.ts';

/** Every change there is to a map. Each gives the map itself where there is nothing to change. */

/** The gate has let the visitor have this farmhand. */
export function approved(map: OwnershipMap, farmhandId: string, { identity }: Visitor): OwnershipMap {
  const record = map.farmhands[farmhandId];
  if (identity === 'unreadable') return map;
  // Who comes by address cannot own; what was released goes back to all who do.
  if (identity === 'nobody')
    return record?.owner === 'released' ? withRecord(map, farmhandId, undefined) : map;
  return isOwner(record, identity) ? map : withRecord(map, farmhandId, claimOf(identity));
}

/**
 * The visitor is on the farm, by whosever decision. Where ownership is not enforced the last one to play a farmhand is its
 * owner, but for what an operator has decided.
 */
export function arrived(
  map: OwnershipMap,
  farmhandId: string,
  visitor: Visitor,
  isEnforced: boolean,
): OwnershipMap {
  const record = map.farmhands[farmhandId];
  const isOpen = record === undefined || record.owner === 'released';
  const isReplaceable = record?.origin === 'claim' && !isEnforced && visitor.identity !== 'nobody';
  return isOpen || isReplaceable ? approved(map, farmhandId, visitor) : map;
}

/** An operator has decided: whom it belongs to, or, without a record, that it is nobody's. */
export function decided(
  map: OwnershipMap,
  { id, isCustomized }: Pick<FarmhandSlot, 'id' | 'isCustomized'>,
  decision: OwnerRecord | 'release',
): OwnershipMap {
  if (decision !== 'release') return withRecord(map, id, decision);
  // A slot that nobody has made into a farmhand is open to all once its record is gone.
  return withRecord(map, id, isCustomized ? releasedRecord : undefined);
}

export function journaled(map: OwnershipMap, entry: WrittenOperation): OwnershipMap {
  return { ...map, journal: [...map.journal, entry].slice(-longestJournal) };
}

/** The claim of somebody who never made the slot into a farmhand. */
export function isAbandoned(
  map: OwnershipMap,
  { id, isCustomized, isOnline }: FarmhandSlot,
  isAwaited: (farmhandId: string) => boolean,
): boolean {
  return !isCustomized && !isOnline && map.farmhands[id]?.origin === 'claim' && !isAwaited(id);
}

export function withRecord(
  map: OwnershipMap,
  farmhandId: string,
  record: OwnerRecord | undefined,
): OwnershipMap {
  const { [farmhandId]: _, ...others } = map.farmhands;
  const farmhands = record === undefined ? others : { ...others, [farmhandId]: record };
  return withoutDoubt({ ...map, farmhands }, farmhandId);
}

export function isDoubtful({ doubts }: OwnershipMap, farmhandId: string): boolean {
  return doubts?.farmhands.includes(farmhandId) === true;
}

/** The last doubt that goes takes the memory of the lost file with it. */
export function withoutDoubt(map: OwnershipMap, farmhandId: string): OwnershipMap {
  if (!isDoubtful(map, farmhandId)) return map;
  const { doubts, ...certain } = map;
  const farmhands = doubts?.farmhands.filter((id) => id !== farmhandId) ?? [];
  return doubts === undefined || farmhands.length === 0
    ? certain
    : { ...certain, doubts: { ...doubts, farmhands } };
}
