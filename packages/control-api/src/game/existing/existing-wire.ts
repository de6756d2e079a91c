import { int64Text } from '@steward/shared/ids/id-text';
import { shallowFacts } from '@steward/shared/json/shallow';
import { z } from 'zod';

// What the existing server answers. Members beyond these are not looked at; members that may be missing are optional,
// since it leaves out what it does not have.

/** Its ids are bare integers; the reader of its bodies kept their digits. */
const bareInt64 = z.union([z.int(), z.bigint()]).transform(String).pipe(int64Text);

const version = z.int().min(0);

export const existingStatus = z.object({
  playerCount: z.int(),
  maxPlayers: z.int(),
  steamInviteCode: z.string().optional(),
  gogInviteCode: z.string().optional(),
  serverVersion: z.string(),
  gameVersion: z.string(),
  isOnline: z.boolean(),
  isReady: z.boolean(),
  dayTransitionComplete: z.boolean(),
  isPaused: z.boolean(),
  farmName: z.string(),
  farmTypeKey: z.string(),
  day: z.int(),
  season: z.string(),
  year: z.int(),
  timeOfDay: z.int(),
  version,
});

export const existingPlayers = z.object({
  players: z.array(z.object({ id: bareInt64, name: z.string() })),
  version,
});

export const existingFarmhands = z.object({
  farmhands: z.array(z.object({ id: bareInt64, name: z.string(), isCustomized: z.boolean() })),
  version,
});

export const existingCabins = z.object({
  strategy: z.string(),
  cabins: z.array(
    z.object({
      tileX: z.int(),
      tileY: z.int(),
      isHidden: z.boolean(),
      type: z.string(),
      ownerId: bareInt64,
      ownerName: z.string().default(''),
      isAssigned: z.boolean(),
    }),
  ),
  savedPositionPlayerIds: z.array(bareInt64),
});

/** As many of its settings as it tells; shown as they are. */
export const existingSettings = z.object({
  game: shallowFacts,
  server: shallowFacts,
});

export const existingRendering = z.object({ fps: z.int().min(0) });

export const existingStats = z.object({
  fps: z.number(),
  tps: z.number(),
  targetTps: z.int(),
  avgTickMs: z.number(),
  memoryMb: z.number(),
  gcGen0: z.int(),
  gcGen1: z.int(),
  gcGen2: z.int(),
  pendingActions: z.int(),
  gameThreadWaitMs: z.number(),
  uptimeSeconds: z.int().default(0),
});

export const existingHealth = z.object({
  lastTickMs: z.int().optional(),
  tickCount: z.int().min(0),
  isFrozen: z.boolean(),
});

/** What it answers where its game's thread has not come to a write, which is then not done. */
export const existingBusy = z.object({ retry: z.literal(true) });

/** What every write answers, with 200 also where it failed. */
export const existingWrite = z.looseObject({
  success: z.boolean(),
  error: z.string().optional(),
  playerId: bareInt64.optional(),
  playerName: z.string().optional(),
  fps: z.int().optional(),
  previousFps: z.int().optional(),
  timeOfDay: z.int().optional(),
});

export type ExistingStatus = z.infer<typeof existingStatus>;
export type ExistingPlayers = z.infer<typeof existingPlayers>;
export type ExistingFarmhands = z.infer<typeof existingFarmhands>;
export type ExistingCabins = z.infer<typeof existingCabins>;
export type ExistingSettings = z.infer<typeof existingSettings>;
export type ExistingStats = z.infer<typeof existingStats>;
export type ExistingHealth = z.infer<typeof existingHealth>;
export type ExistingWrite = z.infer<typeof existingWrite>;
