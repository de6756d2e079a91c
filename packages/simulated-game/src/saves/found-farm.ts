import type { GameSettings } from '@steward/shared/bridge/settings';
import { firstDay } from '../time/calendar.ts';
import type { Random } from '../time/random.ts';
import { dayBegins } from '../time/time-of-day.ts';
import type { FarmState } from './farm-state.ts';
import { farmTypeOf } from './farm-type.ts';

/** A farm on its first morning, as the settings want it. Slots come later, with the rule that one is always free. */
export function foundFarm({ game, server }: GameSettings, random: Random): FarmState {
  return {
    farmId: `farm-${random.bits64()}`,
    generation: 0,
    openings: 0,
    host: { id: newFarmhandId(random), name: 'Host' },
    farmName: game.farmName,
    farmType: farmTypeOf(game.farmType),
    ...firstDay,
    timeOfDay: dayBegins,
    cabinStrategy: server.cabinStrategy,
    farmhands: [],
    cabins: [],
    placedCabins: [],
    admins: [],
    journal: [],
  };
}

/** Random and signed, as the game gives them to everyone. */
export function newFarmhandId(random: Random): string {
  return BigInt.asIntN(64, random.bits64()).toString();
}
