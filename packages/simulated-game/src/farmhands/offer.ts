import type { FarmhandSlot } from '@steward/shared/bridge/state';

/** What a joining player is shown of the slots they may see: every farmhand with a name, and exactly one fresh slot. */
export function offerOf(
  candidates: readonly FarmhandSlot[],
  visible: readonly string[],
  isOpen: (farmhandId: string) => boolean,
): readonly FarmhandSlot[] {
  const allowed = new Set(visible);
  const open = candidates.filter(({ id }) => allowed.has(id) && isOpen(id));
  const fresh = open.find(({ isCustomized }) => !isCustomized);
  return open.filter((slot) => slot.isCustomized || slot === fresh);
}
