import type { GameSettings } from '@steward/shared/bridge/settings';

/** What applies where the operator has said nothing else. */
export const defaultSettings: GameSettings = {
  game: {
    farmName: 'Junimo',
    farmType: 0,
    profitMargin: 1,
    startingCabins: 1,
    spawnMonstersAtNight: 'auto',
    remixBundles: false,
    remixMines: false,
    communityCenterYear1: false,
    cabinLayoutNearby: false,
    useLegacyRandom: false,
    petBreed: 1,
    petName: 'Apples',
    mushroomCave: true,
    buyJoja: false,
  },
  server: {
    maxPlayers: 10,
    cabinStrategy: 'CabinStack',
    separateWallets: false,
    existingCabinBehavior: 'KeepExisting',
    verboseLogging: false,
    allowIpConnections: false,
    enforceFarmhandOwnership: true,
    lobbyMode: 'Shared',
    activeLobbyLayout: 'default',
    adminPlatformIds: [],
    networkBroadcastPeriod: 1,
  },
};
