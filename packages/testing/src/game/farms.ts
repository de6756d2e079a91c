import type { SavedFarm } from '@steward/shared/bridge/farms';
import type { WholeState } from '@steward/shared/bridge/state';
import { type Deed, refused } from './deeds.ts';
import { cabinsOf, emptyFarm, slot } from './empty-farm.ts';
import type { Fault } from './faults.ts';

/** The farms that a game has and does not play, by their id. */
export type OtherFarms = Map<string, WholeState>;

type Given = Readonly<Record<string, unknown>>;

/** One dot. */
export const dotPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** The game goes on to another farm, old or new. */
export function farmDeed(
  state: WholeState,
  others: OtherFarms,
  name: 'newFarm' | 'loadFarm',
  given: Given,
  fault: Fault | undefined,
): Deed {
  if (state.players.length > 0) return refused('players-online', 'Somebody is on the farm');
  const farmId = name === 'loadFarm' ? String(given['farmId']) : freeId(state, others);
  const isHere = farmId === state.farm?.farmId;
  const next = name === 'newFarm' ? newFarm(state, farmId, given) : isHere ? state : others.get(farmId);
  if (next === undefined) return refused('not-found', `There is no save ${farmId}`);
  const before = state.farm === null ? {} : { farmId: state.farm.farmId };
  return {
    apply() {
      const isApplied = fault !== 'founds-nothing' || name === 'loadFarm';
      if (isApplied && !isHere) {
        if (state.farm !== null) others.set(state.farm.farmId, structuredClone(state));
        others.delete(farmId);
        Object.assign(state, structuredClone(next));
      }
      return { outcome: 'applied', before, after: isApplied ? { farmId } : before };
    },
  };
}

export function listedFarms(state: WholeState, others: OtherFarms, fault: Fault | undefined): SavedFarm[] {
  return [state, ...others.values()].flatMap((each) => {
    if (each.farm === null) return [];
    const { farmName, day, season, year } = each.status;
    const date = season === '' ? {} : { day, season, year };
    const isLoaded = each === state && fault !== 'hides-its-farm';
    return [{ id: each.farm.farmId, farmName, farmer: 'Host', ...date, isLoaded }];
  });
}

function freeId({ farm }: WholeState, others: OtherFarms): string {
  for (let number = 1; ; number += 1) {
    const id = `Founded_${number}`;
    if (id !== farm?.farmId && !others.has(id)) return id;
  }
}

function newFarm({ networks, rendering, stats }: WholeState, farmId: string, given: Given): WholeState {
  const { farmName } = given['game'] as { farmName: string };
  const empty = emptyFarm();
  const farmhands = [slot('771231')];
  return {
    ...empty,
    farm: { farmId, saveGeneration: 1 },
    status: { ...empty.status, farmName },
    farmhands,
    cabins: { ...empty.cabins, cabins: cabinsOf(farmhands) },
    networks,
    rendering,
    stats,
  };
}
