import type { GameSettings } from '@steward/shared/bridge/settings';
import { changeStrategy } from '../cabins/cabins.ts';
import type { FarmState } from '../saves/farm-state.ts';

export type ServerSettings = GameSettings['server'];

/** Puts settings into effect. What the farm cannot do now stays as it was, and the answer says so by still differing. */
export function settingsInEffect(wanted: ServerSettings, state: FarmState): ServerSettings {
  if (wanted.cabinStrategy !== state.cabinStrategy) {
    changeStrategy(state, wanted.cabinStrategy, wanted.existingCabinBehavior === 'MoveToStack');
  }
  return { ...wanted, cabinStrategy: state.cabinStrategy };
}
