import { isDeepStrictEqual } from 'node:util';
import type { FarmhandSlot } from '@steward/shared/bridge/state';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { WrittenOperation } from '../game/operations/operation.ts';
import {
  claimOf,
  isOwner,
  longestJournal,
  type OwnerRecord,
  type OwnershipMap,
  releasedRecord,
} from './ownership-map.ts';
import type { FarmSlots } from './ownership-register.ts';
import type { Visitor } from './visitor.ts';

/** Every change there is to a map. Each gives the map itself where there is nothing to change. */

/** The gate has let the visitor have this farmhand. */
export function approved(map: OwnershipMap, farmhandId: string, { identity }: Visitor): OwnershipMap {
  const record = map.farmhands[farmhandId];
  if (identity === 'unreadable') return map;
  // Who comes by address cannot own; what was released goes back to all who do.
  if (identity === 'nobody') return record?.owner === 'released' ? openedToAddress(map, farmhandId) : map;
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
  return stampedAgain(withoutDoubt({ ...map, farmhands }, farmhandId), farmhandId);
}

/** Whether its stamp counts no more: a save from before its release may bring that back at any time. */
export function isUnstamped({ unstamped }: OwnershipMap, farmhandId: string): boolean {
  return unstamped?.includes(farmhandId) === true;
}

function openedToAddress(map: OwnershipMap, farmhandId: string): OwnershipMap {
  const open = withRecord(map, farmhandId, undefined);
  return { ...open, unstamped: [...(open.unstamped ?? []), farmhandId] };
}

function stampedAgain(map: OwnershipMap, farmhandId: string): OwnershipMap {
  if (!isUnstamped(map, farmhandId)) return map;
  const { unstamped = [], ...others } = map;
  const left = unstamped.filter((id) => id !== farmhandId);
  return left.length === 0 ? others : { ...others, unstamped: left };
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

/** What is told of a change: whose farmhands are from now on, and which are for whoever comes next. */
export function changesBetween(
  { slots }: FarmSlots,
  { farmhands: before }: OwnershipMap,
  { farmhands: after }: OwnershipMap,
): StewardEvent[] {
  if (before === after) return [];
  const known = new Map(slots.map((slot) => [slot.id, slot]));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((playerId) => {
    const [past, now, slot] = [before[playerId], after[playerId], known.get(playerId)];
    if (isDeepStrictEqual(past, now)) return [];
    const whose = { playerId, playerName: slot?.name ?? '' };
    if (now !== undefined && now.owner !== 'released') {
      const { owner: space, id, origin } = now;
      return { type: 'farmhands.bound', data: { ...whose, door: space, origin, identity: { space, id } } };
    }
    // What was released already those take who come by address; and one that is gone is for nobody.
    if (now === undefined && (past?.owner === 'released' || slot === undefined)) return [];
    return { type: 'farmhands.released', data: whose };
  });
}

/**
 * Changes the records of many farmhands, each by what stands of it alone: the change sees a map with this one farmhand. The
 * whole map is copied once, however many change; the map itself comes back where none does.
 */
export function eachFarmhand<Item>(
  map: OwnershipMap,
  items: Iterable<Item>,
  idOf: (item: Item) => string,
  change: (alone: OwnershipMap, item: Item) => OwnershipMap,
): OwnershipMap {
  const { doubts, unstamped, farmhands: _, ...shared } = map;
  const records = new Map(Object.entries(map.farmhands));
  const doubtful = new Set(doubts?.farmhands);
  const stampless = new Set(unstamped);
  let isChanged = false;
  for (const item of items) {
    const id = idOf(item);
    const record = records.get(id);
    const alone: OwnershipMap = {
      ...shared,
      farmhands: record === undefined ? {} : { [id]: record },
      ...(doubts !== undefined && doubtful.has(id) ? { doubts: { ...doubts, farmhands: [id] } } : {}),
      ...(stampless.has(id) ? { unstamped: [id] } : {}),
    };
    const changed = change(alone, item);
    if (changed === alone) continue;
    isChanged = true;
    const after = changed.farmhands[id];
    if (after === undefined) records.delete(id);
    else records.set(id, after);
    if (changed.doubts === undefined) doubtful.delete(id);
    if (isUnstamped(changed, id)) stampless.add(id);
    else stampless.delete(id);
  }
  if (!isChanged) return map;
  return {
    ...shared,
    farmhands: Object.fromEntries(records),
    // The last doubt that goes takes the memory of the lost file with it.
    ...(doubts !== undefined && doubtful.size > 0 ? { doubts: { ...doubts, farmhands: [...doubtful] } } : {}),
    ...(stampless.size > 0 ? { unstamped: [...stampless] } : {}),
  };
}
