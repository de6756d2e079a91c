import type { PlayerTarget } from './commands.ts';

/** Whom an id or a name means. A name is compared without regard to case and may fit several. */
export function farmhandsMeant<Slot extends { readonly id: string; readonly name: string }>(
  slots: readonly Slot[],
  target: PlayerTarget,
): Slot[] {
  if ('playerId' in target) return slots.filter(({ id }) => id === target.playerId);
  const name = target.name.toLowerCase();
  return slots.filter((slot) => slot.name.toLowerCase() === name);
}
