import type { Row } from '../kinds.ts';
import type { Scope } from '../scopes.ts';
import {
  choice,
  clampedInteger,
  farmType,
  fileName,
  flag,
  flagOrAuto,
  ids,
  int32Max,
  integer,
  name,
  number,
  type SettingKind,
  seed,
} from './setting-kinds.ts';

/** One setting: what the file, the wires, the parameters of `POST /settings`, forms and documents need of it. */
export interface Setting<T> extends Row<T> {
  /** The name in the file, where upper and lower case count as one. */
  readonly key: string;
  /** Names of other times and places that are read, too. */
  readonly alsoKnownAs?: readonly string[];
  readonly kind: SettingKind<T>;
  readonly fallback: NoInfer<T>;
  readonly example?: NoInfer<T>;
  /** What a key has to be good for that changes it, where running the farm is not enough. */
  readonly scope?: Scope;
  /** It names people as a platform or a network knows them. */
  readonly isIdentity?: true;
}

export type SettingRows = Readonly<Record<string, Setting<unknown>>>;

/** The sections of the file, by the names that they have on the wires. */
export const sectionKeys = { game: 'Game', server: 'Server' } as const;

/** What a new farm is made from; on an existing farm it changes nothing. */
const game = section({
  farmName: {
    key: 'FarmName',
    kind: name,
    fallback: 'Junimo',
    means: "The farm's name",
    example: 'Riverbend',
  },
  farmType: {
    key: 'FarmType',
    kind: farmType,
    fallback: 0,
    means: "A built-in type's index, or a mod farm's id",
    example: 5,
  },
  profitMargin: {
    key: 'ProfitMargin',
    kind: number({ above: 0 }),
    fallback: 1,
    means: 'The price of goods, as a part of the normal price',
    example: 0.75,
  },
  startingCabins: {
    key: 'StartingCabins',
    kind: integer({ min: 0, max: int32Max }),
    fallback: 1,
    means: 'How many cabins there are from the first day on',
    example: 3,
  },
  spawnMonstersAtNight: {
    key: 'SpawnMonstersAtNight',
    kind: flagOrAuto,
    fallback: 'auto',
    means: 'Whether monsters appear at night; auto: depends on the type of the farm',
  },
  remixBundles: {
    key: 'RemixBundles',
    kind: flag,
    fallback: false,
    means: "Whether the community center's bundles are remixed",
  },
  remixMines: {
    key: 'RemixMines',
    kind: flag,
    fallback: false,
    means: 'Whether the rewards in the mines are remixed',
  },
  communityCenterYear1: {
    key: 'CommunityCenterYear1',
    kind: flag,
    fallback: false,
    means: 'Whether it is guaranteed that the community center can be completed in the first year',
  },
  cabinLayoutNearby: {
    key: 'CabinLayoutNearby',
    kind: flag,
    fallback: false,
    means: 'Whether the first cabins are close together',
  },
  useLegacyRandom: {
    key: 'UseLegacyRandom',
    kind: flag,
    fallback: false,
    means: 'Whether to use the random numbers of older versions of the game',
  },
  randomSeed: {
    key: 'RandomSeed',
    kind: seed,
    fallback: undefined,
    means: "The seed of the farm's random numbers; random by default",
    example: '398472611',
  },
  petBreed: {
    key: 'PetBreed',
    kind: integer({ min: -int32Max, max: int32Max }),
    fallback: 1,
    means: 'The pet: 0 to 4 are cats, 5 to 9 dogs, anything else is none',
    example: 5,
  },
  petName: { key: 'PetName', kind: name, fallback: 'Apples', means: "The pet's name", example: 'Biscuit' },
  mushroomCave: {
    key: 'MushroomCave',
    kind: flag,
    fallback: true,
    means: 'Whether the cave grows mushrooms; otherwise it has fruit bats',
  },
  buyJoja: {
    key: 'BuyJoja',
    kind: flag,
    fallback: false,
    means: "Whether the community center becomes the company's warehouse",
  },
});

/** What applies at every start of the game, and as far as the game can, at once. Each is a parameter of `POST /settings`. */
const server = section({
  maxPlayers: {
    key: 'MaxPlayers',
    // As many as the game's own tools allow.
    kind: clampedInteger({ min: 1, max: 100 }),
    fallback: 10,
    means: 'How many players may be online',
    example: 8,
  },
  cabinStrategy: {
    key: 'CabinStrategy',
    kind: choice(['CabinStack', 'FarmhouseStack', 'None']),
    fallback: 'CabinStack',
    means: 'Where cabins are placed',
  },
  separateWallets: {
    key: 'SeparateWallets',
    kind: flag,
    fallback: false,
    means: 'Whether each player has their own money',
  },
  existingCabinBehavior: {
    key: 'ExistingCabinBehavior',
    kind: choice(['KeepExisting', 'MoveToStack']),
    fallback: 'KeepExisting',
    means: 'What happens to existing cabins',
  },
  verboseLogging: {
    key: 'VerboseLogging',
    kind: flag,
    fallback: false,
    means: 'Whether the game logs more',
  },
  allowIpConnections: {
    key: 'AllowIpConnections',
    kind: flag,
    fallback: false,
    means: 'Whether players may join by direct IP',
    scope: 'admin',
  },
  enforceFarmhandOwnership: {
    key: 'EnforceFarmhandOwnership',
    kind: flag,
    fallback: true,
    means: 'Whether a farmhand belongs to the player who first took it',
    scope: 'admin',
  },
  lobbyMode: {
    key: 'LobbyMode',
    kind: choice(['Shared', 'Individual']),
    fallback: 'Shared',
    means: 'Whether players who log in wait together or separately',
  },
  activeLobbyLayout: {
    key: 'ActiveLobbyLayout',
    kind: fileName,
    fallback: 'default',
    means: 'The layout of that waiting room',
    example: 'default',
  },
  adminPlatformIds: {
    key: 'AdminPlatformIds',
    alsoKnownAs: ['AdminSteamIds'],
    kind: ids,
    fallback: [],
    means: 'Accounts that become admin when they join, on either network',
    scope: 'admin',
    isIdentity: true,
    example: ['76561198000000001', '76561198000000002'],
  },
  networkBroadcastPeriod: {
    key: 'NetworkBroadcastPeriod',
    kind: clampedInteger({ min: 1, max: 60 }),
    fallback: 1,
    means: 'Ticks between two broadcasts of positions',
    example: 1,
  },
});

/** Every setting of the server settings file, by section and by the name that it has on the wires. */
export const settingsTable = { game, server };

export type SectionName = keyof typeof settingsTable;

/** The rows of a section, with the names that they have on the wires. */
export function rowsOf(section: SectionName): [string, Setting<unknown>][] {
  return Object.entries(settingsTable[section]);
}

type Section<Values> = { readonly [Name in keyof Values]: Setting<Values[Name]> };

/** Lets the compiler hold each default and example to the row's kind. */
function section<Values>(rows: Section<Values>) {
  return rows;
}
