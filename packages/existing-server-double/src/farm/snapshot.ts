import { type Calendar, type Character, hiddenTile } from './character.ts';

/** What of a farm its reads show. */
export interface ShownFarm {
  readonly characters: readonly Character[];
  readonly calendar: Calendar;
  readonly networkCode: string | undefined;
  readonly isPlatformLobbyStamped: boolean;
  readonly farmName: string;
  readonly maxPlayers: number;
  readonly isReady: boolean;
  readonly isPaused: boolean;
  readonly isInDayTransition: boolean;
  readonly isLoaded: boolean;
}

/** What the reads show until the next second: bodies as they go out, undefined members left out. */
export interface Snapshot {
  readonly version: number;
  readonly takenAt: number;
  readonly status: object;
  readonly players: readonly { id: bigint; name: string; isOnline: boolean }[];
  readonly farmhands: readonly { id: bigint; name: string; isCustomized: boolean }[];
  readonly cabins: object;
}

/** Its codes are not told then, even where it has them. */
const noWorld = {
  maxPlayers: 4,
  isOnline: false,
  isReady: false,
  dayTransitionComplete: false,
  isPaused: false,
  farmName: '',
  farmTypeKey: '',
  day: 0,
  season: '',
  year: 0,
  timeOfDay: 0,
};

export function snapshotOf(farm: ShownFarm, version: number): Snapshot {
  const { calendar, networkCode, isLoaded } = farm;
  const characters = isLoaded ? farm.characters : [];
  const online = characters.filter(({ isOnline }) => isOnline);
  const cabins = characters.map(({ id, name, isCustomized }) => ({
    tileX: hiddenTile,
    tileY: hiddenTile,
    isHidden: true,
    type: 'CabinStack',
    // A placeholder has an owner's id as well, from before anybody came.
    ownerId: id,
    ownerName: name,
    isAssigned: isCustomized,
  }));
  const assigned = cabins.filter(({ isAssigned }) => isAssigned).length;
  return {
    version,
    takenAt: performance.now(),
    status: {
      playerCount: online.length,
      ...(isLoaded
        ? {
            maxPlayers: farm.maxPlayers,
            steamInviteCode:
              networkCode !== undefined && farm.isPlatformLobbyStamped ? `S${networkCode}` : undefined,
            gogInviteCode: networkCode === undefined ? undefined : `G${networkCode}`,
            isOnline: true,
            isReady: farm.isReady,
            dayTransitionComplete: !farm.isInDayTransition,
            farmName: farm.farmName,
            ...calendar,
            farmTypeKey: 'Standard',
            isPaused: farm.isPaused,
          }
        : noWorld),
      serverVersion: '1.4.1',
      gameVersion: '1.6.15',
      lastUpdated: roundTrip(new Date()),
      version,
    },
    players: online.map(({ id, name }) => ({ id, name, isOnline: true })),
    farmhands: characters.map(({ id, name, isCustomized }) => ({ id, name, isCustomized })),
    cabins: {
      strategy: 'CabinStack',
      totalCount: cabins.length,
      assignedCount: assigned,
      availableCount: cabins.length - assigned,
      cabins,
      savedPositionPlayerIds: [],
    },
  };
}

/** Seven digits after the second, as its runtime writes times. */
export function roundTrip(date: Date): string {
  return date.toISOString().replace('Z', '0000Z');
}
