import type { GameSettings } from '@steward/shared/bridge/settings';

/** What a game under test is given to start from. */
export const settings: GameSettings = {
  game: {
    farmName: 'Conformance',
    farmType: 0,
    profitMargin: 1,
    startingCabins: 2,
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
    maxPlayers: 4,
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
