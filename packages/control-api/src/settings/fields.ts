import type { GameSettings } from '@steward/shared/bridge/settings';
import { accepted, refused } from '@steward/shared/parsed';
import { farmType } from './farm-type.ts';
import {
  choice,
  clampedInteger,
  type Field,
  flag,
  integer,
  listOfIds,
  number,
  optionalUint64,
  text,
} from './field.ts';
import { fileName, nameAllowed, parseFileName, parseName } from './names.ts';

type Fields<Section> = { readonly [Name in keyof Section]-?: Field<Section[Name]> };

/** The largest integer that the game can hold. */
const int32Max = 2_147_483_647;

const name = { allowed: nameAllowed, parse: parseName };

const nights = ['auto', 'true', 'false'] as const;

const spawnMonstersAtNight: Field<(typeof nights)[number]> = {
  key: 'SpawnMonstersAtNight',
  fallback: 'auto',
  allowed: 'true, false or auto',
  read({ value }) {
    const night = nights.find((one) => one === String(value).toLowerCase());
    return night === undefined ? refused('is none of them') : accepted(night);
  },
};

/** What a new farm is made from; on an existing farm it changes nothing. */
const game: Fields<GameSettings['game']> = {
  farmName: text({ key: 'FarmName', fallback: 'Junimo', ...name }),
  farmType,
  profitMargin: number({ key: 'ProfitMargin', fallback: 1, above: 0 }),
  startingCabins: integer({ key: 'StartingCabins', fallback: 1, min: 0, max: int32Max }),
  spawnMonstersAtNight,
  remixBundles: flag({ key: 'RemixBundles', fallback: false }),
  remixMines: flag({ key: 'RemixMines', fallback: false }),
  communityCenterYear1: flag({ key: 'CommunityCenterYear1', fallback: false }),
  cabinLayoutNearby: flag({ key: 'CabinLayoutNearby', fallback: false }),
  useLegacyRandom: flag({ key: 'UseLegacyRandom', fallback: false }),
  randomSeed: optionalUint64({ key: 'RandomSeed' }),
  petBreed: integer({ key: 'PetBreed', fallback: 1, min: -int32Max, max: int32Max }),
  petName: text({ key: 'PetName', fallback: 'Apples', ...name }),
  mushroomCave: flag({ key: 'MushroomCave', fallback: true }),
  buyJoja: flag({ key: 'BuyJoja', fallback: false }),
};

/** What applies at every start of the game, and as far as the game can, at once. */
const server: Fields<GameSettings['server']> = {
  maxPlayers: integer({ key: 'MaxPlayers', fallback: 10, min: 1, max: int32Max }),
  cabinStrategy: choice({ key: 'CabinStrategy', values: ['CabinStack', 'FarmhouseStack', 'None'] }),
  separateWallets: flag({ key: 'SeparateWallets', fallback: false }),
  existingCabinBehavior: choice({ key: 'ExistingCabinBehavior', values: ['KeepExisting', 'MoveToStack'] }),
  verboseLogging: flag({ key: 'VerboseLogging', fallback: false }),
  allowIpConnections: flag({ key: 'AllowIpConnections', fallback: false }),
  enforceFarmhandOwnership: flag({ key: 'EnforceFarmhandOwnership', fallback: true }),
  lobbyMode: choice({ key: 'LobbyMode', values: ['Shared', 'Individual'] }),
  activeLobbyLayout: text({
    ...{ key: 'ActiveLobbyLayout', fallback: 'default' },
    ...{ allowed: fileName.allowed, parse: parseFileName },
  }),
  adminPlatformIds: listOfIds({ key: 'AdminPlatformIds', alsoKnownAs: ['AdminSteamIds'] }),
  networkBroadcastPeriod: clampedInteger({ key: 'NetworkBroadcastPeriod', fallback: 1, min: 1, max: 60 }),
};

/** Every setting, by section and by the name that it has on the wires. */
export const fields = { game, server };

export const sectionKeys = { game: 'Game', server: 'Server' } as const;

export type SectionKey = keyof typeof sectionKeys;

export function fieldsOf(section: SectionKey): [string, Field<unknown>][] {
  return Object.entries(fields[section]);
}
