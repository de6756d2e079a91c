import { z } from 'zod';
import { humanText, int64Text, nameInGame, requestableVisibility, uint64Text } from '../wire-values.ts';
import { farmIdentity } from './hello.ts';
import { fastestRendering, timeOfDay } from './ranges.ts';
import { cabinStrategy } from './settings.ts';

export const season = z.enum(['spring', 'summer', 'fall', 'winter']);

/** Server and calendar. Without a loaded farm: zeros and empty texts. */
export const statusSection = z.object({
  playerCount: z.int().min(0).meta({ description: 'Online players, without the host' }),
  maxPlayers: z.int().min(0),
  serverVersion: z.string().meta({ description: "The mod's own version" }),
  gameVersion: z.string().meta({
    description:
      "The game's version. A mod sends what the game calls its protocol version: it is put into the platform lobby, and the game's clients compare it exactly",
  }),
  isOnline: z.boolean().meta({ description: 'A farm is loaded and players can connect' }),
  isReady: z.boolean().meta({ description: 'Players can join now' }),
  dayTransitionComplete: z.boolean(),
  isPaused: z.boolean(),
  farmName: z.string(),
  farmTypeKey: z.string(),
  day: z.int().min(0).max(28),
  season: z.union([season, z.literal('')]),
  year: z.int().min(0),
  timeOfDay: z.int().min(0).max(timeOfDay.latest),
});

export const renderingSection = z.object({ fps: z.int().min(0).max(fastestRendering) });

/** How the game's process fares. */
export const statsSection = z.object({
  fps: z.number().min(0),
  tps: z.number().min(0),
  targetTps: z.int().min(1),
  avgTickMs: z.number().min(0),
  memoryMb: z.number().min(0),
  gcGen0: z.int().min(0),
  gcGen1: z.int().min(0),
  gcGen2: z.int().min(0),
  pendingActions: z.int().min(0),
  gameThreadWaitMs: z.number().min(0),
  uptimeSeconds: z.int().min(0),
});

/** A connected player. The name may be empty until it has come from the client. */
const connectedPlayer = z.object({
  id: int64Text,
  name: nameInGame,
  connectionId: z.string().max(200),
  isAdmin: z.boolean(),
});

const playersSection = z.array(connectedPlayer);

/** A character slot, used or fresh. */
export const farmhandSlot = z.object({
  id: int64Text,
  name: nameInGame.meta({ description: 'Empty until it is customised' }),
  isCustomized: z.boolean(),
  isOnline: z.boolean(),
  isAdmin: z.boolean(),
  stamp: uint64Text
    .optional()
    .meta({ description: 'The user id that a client once declared for this slot, in network-id space' }),
});

const farmhandsSection = z.array(farmhandSlot);

export type FarmhandSlot = z.infer<typeof farmhandSlot>;

export const cabin = z.object({
  tileX: z.int(),
  tileY: z.int(),
  isHidden: z.boolean(),
  type: z.enum(['Normal', 'CabinStack', 'FarmhouseStack', 'SharedLobby', 'IndividualLobby', 'Editing']),
  ownerId: int64Text.meta({ description: '"0" for a cabin without a slot' }),
  ownerName: nameInGame,
  isAssigned: z.boolean().meta({ description: 'It has an owner who is customised' }),
});

export const cabinsSection = z.object({
  strategy: cabinStrategy,
  cabins: z.array(cabin),
  savedPositionPlayerIds: z.array(int64Text),
});

const why = humanText(500).optional().meta({ description: 'Why not, as text' });

/** The game's anonymous logon at the primary platform, under which its relay listens. */
const relayState = z.object({
  serverId: uint64Text
    .regex(/^90/, 'does not begin with 90, as the id of an anonymous game server does')
    .optional()
    .meta({ description: 'Absent while there is no logon' }),
  why,
});

const networkLobby = z.object({
  id: uint64Text.meta({ description: "The lobby's raw id, which invite codes contain" }),
  visibility: requestableVisibility.meta({
    description: 'The visibility that is applied, not the requested one',
  }),
  platformLobbyId: uint64Text.optional().meta({ description: 'The platform lobby this lobby points to' }),
});

export const networksSection = z.object({
  relay: relayState,
  network: z.object({
    signedIn: z.boolean(),
    lobby: networkLobby.optional(),
    why,
  }),
  directIp: z.object({ listening: z.boolean(), port: z.int().min(1).max(65535).optional(), why }),
});

/** Everything that reads are answered from. A section always travels whole. */
export const wholeState = z.object({
  farm: farmIdentity.nullable().meta({ description: 'null while no farm is loaded' }),
  status: statusSection,
  players: playersSection,
  farmhands: farmhandsSection,
  cabins: cabinsSection,
  rendering: renderingSection,
  stats: statsSection,
  networks: networksSection,
});

/** The `state` notification: after `hello` all of them, later those that changed. */
export const stateParams = wholeState.partial();

export type WholeState = z.infer<typeof wholeState>;
export type StateParams = z.infer<typeof stateParams>;
export type SectionName = keyof WholeState;

export const sectionNames = Object.keys(wholeState.shape) as SectionName[];

/** The `tick` notification, sent from the game's loop itself so that a frozen loop is silent. */
export const tickParams = z.object({ count: z.int().min(0) });
