import type { OwnershipMap } from './ownership-map.ts';

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
  const { doubts, farmhands: _, ...shared } = map;
  const records = new Map(Object.entries(map.farmhands));
  const doubtful = new Set(doubts?.farmhands);
  let isChanged = false;
  for (const item of items) {
    const id = idOf(item);
    const record = records.get(id);
    const alone: OwnershipMap = {
      ...shared,
      farmhands: record === undefined ? {} : { [id]: record },
      ...(doubts !== undefined && doubtful.has(id) ? { doubts: { ...doubts, farmhands: [id] } } : {}),
    };
    const changed = change(alone, item);
    if (changed === alone) continue;
    isChanged = true;
    const after = changed.farmhands[id];
    if (after === undefined) records.delete(id);
    else records.set(id, after);
    if (changed.doubts === undefined) doubtful.delete(id);
  }
  if (!isChanged) return map;
  return {
    ...shared,
    farmhands: Object.fromEntries(records),
    // The last doubt that goes takes the memory of the lost file with it.
    ...(doubts !== undefined && doubtful.size > 0 ? { doubts: { ...doubts, farmhands: [...doubtful] } } : {}),
  };
}
