import type { CabinStrategy } from '../cabins/strategy.ts';
import type { Random } from '../time/random.ts';
import { firstDay } from '../world/calendar.ts';
import type { FarmType } from '../world/farm-type.ts';
import { dayBegins } from '../world/time-of-day.ts';
import type { FarmState } from './farm-state.ts';

export interface Founding {
  readonly farmName: string;
  readonly farmType: FarmType;
  readonly cabinStrategy: CabinStrategy;
}

/** A farm on its first morning. Slots come with the pool rule, which every load applies. */
export function foundFarm(founding: Founding, random: Random): FarmState {
  return {
    ...founding,
    ...firstDay,
    farmId: `farm-${random.bits64()}`,
    generation: 0,
    timeOfDay: dayBegins,
    farmhands: [],
    cabins: [],
    placedCabins: [],
    admins: [],
  };
}
