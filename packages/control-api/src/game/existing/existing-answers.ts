import { cabin, cabinsSection, season, type WholeState } from '@steward/shared/bridge/state';
import { int64Text, nameInGame, shallowFacts } from '@steward/shared/wire-values';
import { z } from 'zod';
import type { OperationCommandName } from '../operations/operation.ts';
import type { SelfHosted } from '../state/bridge-state.ts';

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
  // Only shown, as is the farm's type: a build that does not tell one of them is followed for all the others.
  serverVersion: z.string().default(''),
  gameVersion: z.string().default(''),
  isOnline: z.boolean(),
  isReady: z.boolean(),
  dayTransitionComplete: z.boolean(),
  isPaused: z.boolean(),
  farmName: z.string(),
  farmTypeKey: z.string().default(''),
  day: z.int(),
  season: z.string(),
  year: z.int(),
  timeOfDay: z.int(),
  version,
});

export const existingPlayers = z.object({
  players: z.array(z.object({ id: bareInt64, name: nameInGame })),
  version,
});

export const existingFarmhands = z.object({
  farmhands: z.array(z.object({ id: bareInt64, name: nameInGame, isCustomized: z.boolean() })),
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
      ownerName: nameInGame.default(''),
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

/** A picture of what it shows; where it failed it says so, with 200. */
export const existingPicture = z.object({
  success: z.boolean(),
  base64Png: z.string().optional(),
  error: z.string().optional(),
});

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

type ExistingStatus = z.infer<typeof existingStatus>;
type ExistingPlayers = z.infer<typeof existingPlayers>;
type ExistingFarmhands = z.infer<typeof existingFarmhands>;
type ExistingCabins = z.infer<typeof existingCabins>;
type ExistingSettings = z.infer<typeof existingSettings>;
type ExistingStats = z.infer<typeof existingStats>;
export type ExistingHealth = z.infer<typeof existingHealth>;
export type ExistingWrite = z.infer<typeof existingWrite>;

/** All that the existing server was last seen to say. */
export interface ExistingReads {
  readonly status: ExistingStatus;
  readonly players: ExistingPlayers;
  readonly farmhands: ExistingFarmhands;
  readonly cabins: ExistingCabins;
  readonly rendering: { readonly fps: number };
  readonly stats: ExistingStats;
  readonly settings: ExistingSettings;
}

/** The same in the words of the bridge. What that server does not tell is said to be unknown, never made up. */
export function sectionsOf(reads: ExistingReads): WholeState {
  const { status, players, farmhands, cabins, rendering, stats } = reads;
  const online = new Set(players.players.map(({ id }) => id));
  const { steamInviteCode: _steam, gogInviteCode: _gog, version: _version, ...rest } = status;
  return {
    // It has no id that lasts for a farm's life, so nothing is remembered under one.
    farm: null,
    status: { ...rest, season: season.safeParse(status.season).data ?? '' },
    players: players.players.map(({ id, name }) => ({ id, name, connectionId: '', isAdmin: false })),
    farmhands: farmhands.farmhands.map(({ id, name, isCustomized }) => ({
      id,
      name,
      isCustomized,
      isOnline: online.has(id),
      isAdmin: false,
    })),
    cabins: {
      strategy: cabinsSection.shape.strategy.safeParse(cabins.strategy).data ?? 'None',
      cabins: cabins.cabins.map(({ type, ...each }) => ({
        ...each,
        type: cabin.shape.type.safeParse(type).data ?? 'Normal',
      })),
      savedPositionPlayerIds: cabins.savedPositionPlayerIds,
    },
    rendering,
    stats,
    networks: {
      relay: { why: untold },
      network: { signedIn: false, why: untold },
      directIp: { listening: false, why: untold },
    },
  };
}

const untold = 'the existing server does not report it';

const banned = 'an admin types `!ban`, `!unban` or `!listbans` in its chat';

/** Before anything was heard of it. */
export const unheard: SelfHosted = {
  name: 'the existing server',
  codes: {},
  settings: { game: {}, server: {} },
  instead: {
    rebindFarmhand: 'its console has `farmhand rebind`',
    releaseFarmhand: 'its console has `farmhand release`',
    announce: 'an admin writes it in its chat, or use POST /chat, which that server marks as (Web)',
    kick: 'an admin types `!kick` and the name in its chat',
    addBan: banned,
    removeBan: banned,
    allowPlayer: banned,
    disallowPlayer: banned,
    importBans: banned,
    applySettings: 'change its own settings file, and reload it with its POST /reload or a restart',
    save: 'it saves at the end of each day',
    stop: 'stop its container',
  } satisfies Partial<Record<OperationCommandName, string>>,
};

/** What it says of the things that it sees to by itself. */
export function selfHostedOf({
  status: { steamInviteCode, gogInviteCode },
  settings,
}: ExistingReads): SelfHosted {
  return {
    ...unheard,
    settings,
    codes: {
      ...(steamInviteCode === undefined ? {} : { platform: steamInviteCode }),
      ...(gogInviteCode === undefined ? {} : { network: gogInviteCode }),
    },
  };
}
