import type { SavedFarm } from '@steward/shared/bridge/farms';
import type { StateParams, WholeState } from '@steward/shared/bridge/state';
import { timestampOf } from '@steward/shared/wire-values';
import { cabinType, isHidden } from '../cabins/cabins.ts';
import type { Farm } from '../farm/farm.ts';
import { slotView } from '../farmhands/slots.ts';
import { gameVersion } from '../saves/save-files.ts';

/** How the farm names itself to whoever connects it. */
export const simulatorName = 'Steward simulated farm';
export const simulatorVersion = '0.1.0';

/** What only the program knows: how its loop and its process fare. */
export type Stats = WholeState['stats'];

/** The whole farm in the words of the bridge. */
export function stateOfFarm(farm: Farm, stats: Stats): WholeState {
  return {
    farm: { farmId: farm.world.state.farmId, saveGeneration: farm.world.state.generation },
    status: status(farm),
    players: players(farm),
    farmhands: farm.slots.all.map((slot) => slotView(slot, farm.world.state, farm.sessions)),
    cabins: cabins(farm),
    rendering: { fps: farm.renderRate },
    stats,
    networks: { ...farm.hosting.networkState, directIp: farm.directIp.state },
  };
}

/** The sections whose text differs from what was sent last; remembers what it gives out. */
export class ChangedSections {
  readonly #sent = new Map<string, string>();
  #farmId: string | undefined;

  of(state: WholeState): StateParams {
    // What was said of the farm before says nothing of another one.
    if (state.farm?.farmId !== this.#farmId) this.#sent.clear();
    this.#farmId = state.farm?.farmId;
    const changed = Object.entries(state).filter(([name, section]) => {
      const text = JSON.stringify(section);
      if (this.#sent.get(name) === text) return false;
      this.#sent.set(name, text);
      return true;
    });
    return Object.fromEntries(changed);
  }
}

function status({ world, sessions, dayCycle, settings }: Farm): WholeState['status'] {
  const { farmName, farmType, day, season, year, timeOfDay } = world.state;
  return {
    playerCount: sessions.count,
    maxPlayers: settings.maxPlayers,
    serverVersion: simulatorVersion,
    gameVersion,
    isOnline: true,
    isReady: !dayCycle.isSaving,
    dayTransitionComplete: !dayCycle.isSaving,
    isPaused: dayCycle.isPaused,
    farmName,
    farmTypeKey: farmType,
    day,
    season,
    year,
    timeOfDay,
  };
}

function players({ sessions, world }: Farm): WholeState['players'] {
  return sessions.all.map(({ farmhandId, knownName, connectionId }) => ({
    id: farmhandId,
    name: knownName,
    connectionId,
    isAdmin: world.state.admins.includes(farmhandId),
  }));
}

function cabins({ world, slots }: Farm): WholeState['cabins'] {
  const { cabinStrategy, placedCabins } = world.state;
  return {
    strategy: cabinStrategy,
    cabins: world.state.cabins.map((cabin) => {
      const owner = slots.find(cabin.ownerId);
      return {
        ...cabin,
        isHidden: isHidden(cabin),
        type: cabinType(cabinStrategy),
        ownerName: owner?.name ?? '',
        isAssigned: owner?.customised ?? false,
      };
    }),
    savedPositionPlayerIds: placedCabins,
  };
}

/** Every save that the farm can open. */
export function savedFarms({ world }: Farm): readonly SavedFarm[] {
  const loaded = world.state.farmId;
  return world.saves.map(({ state: { farmId: id, farmName, host, day, season, year }, writtenAt }) => ({
    ...{ id, farmName, farmer: host.name, day, season, year },
    lastPlayedAt: timestampOf(writtenAt),
    isLoaded: id === loaded,
  }));
}
