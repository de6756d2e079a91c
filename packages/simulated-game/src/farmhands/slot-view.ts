import type { FarmhandSlot } from '@steward/shared/bridge/state';
import type { Farmhand, FarmState } from '../saves/farm-state.ts';
import type { Sessions } from '../world/sessions.ts';

/** A slot in the words of the bridge. */
export function slotView(slot: Farmhand, state: FarmState, sessions: Sessions): FarmhandSlot {
  return {
    id: slot.id,
    name: slot.name,
    isCustomized: slot.customised,
    isOnline: sessions.of(slot.id) !== undefined,
    isAdmin: state.admins.includes(slot.id),
    ...(slot.stamp === undefined ? {} : { stamp: slot.stamp }),
  };
}
