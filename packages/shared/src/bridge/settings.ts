import { z } from 'zod';
import { uint64Text } from '../ids/uint64.ts';

/** What a new farm is made from. */
export const farmCreationSettings = z.object({
  farmName: z.string(),
  farmType: z
    .union([z.int().min(0).max(7), z.string()])
    .meta({ description: "A built-in type's index, or a mod farm's id" }),
  profitMargin: z.number(),
  startingCabins: z.int().min(0),
  spawnMonstersAtNight: z.enum(['true', 'false', 'auto']),
  remixBundles: z.boolean(),
  remixMines: z.boolean(),
  communityCenterYear1: z.boolean(),
  cabinLayoutNearby: z.boolean(),
  useLegacyRandom: z.boolean(),
  randomSeed: uint64Text.optional(),
  petBreed: z.int(),
  petName: z.string(),
  mushroomCave: z.boolean(),
  buyJoja: z.boolean(),
});

export const cabinStrategy = z.enum(['CabinStack', 'FarmhouseStack', 'None']);

/** What applies at every start and whenever it changes. */
export const serverSettings = z.object({
  maxPlayers: z.int().min(1),
  cabinStrategy,
  separateWallets: z.boolean(),
  existingCabinBehavior: z.enum(['KeepExisting', 'MoveToStack']),
  verboseLogging: z.boolean(),
  allowIpConnections: z.boolean(),
  enforceFarmhandOwnership: z.boolean(),
  lobbyMode: z.enum(['Shared', 'Individual']),
  activeLobbyLayout: z.string(),
  adminPlatformIds: z.array(z.string()),
  networkBroadcastPeriod: z.int().min(1).max(60),
});

export const gameSettings = z.object({ game: farmCreationSettings, server: serverSettings });

export type GameSettings = z.infer<typeof gameSettings>;
