import { z } from 'zod';
import { backupReasons, restoreSteps } from '../backups.ts';
import { saveGeneration } from '../bridge/hello.ts';
import { season } from '../bridge/state.ts';
import { joinPaths } from '../connection-id.ts';
import { drainPhases, drainWhens } from '../drain.ts';
import { identity } from '../identities.ts';
import { downloadState } from '../sidecar/download.ts';
import { sessionState } from '../sidecar/health.ts';
import { int64Text, timestamp, uint64Text } from '../wire-values.ts';
import { type EventType, eventTypeNames } from './event-types.ts';

const pathNames = joinPaths.map(({ path }) => path);

/** By which way somebody comes; a connection id that nobody can read may be of any. */
export const door = z
  .enum([...pathNames, 'unknown'] as [(typeof pathNames)[number], 'unknown'])
  .meta({ description: 'The way in' });

const player = { playerId: int64Text, playerName: z.string() };
const visitor = { ...player, door, connectionId: identity(z.string().max(200)) };
const date = { day: z.int().min(1).max(28), season, year: z.int().min(1) };
const reason = { reason: z.string() };
const status = { ...reason, remedy: z.string().optional() };
/** Whom a connection shows to be at its other end. */
const account = z.object({ space: z.enum(['platform', 'network']), id: uint64Text });
/** Which one, why there is one, and of which day of the farm it is, where that is known. */
const backup = {
  backupId: z.string(),
  why: z.enum(backupReasons),
  day: date.day.optional(),
  season: season.optional(),
  year: date.year.optional(),
};
/** Which one, and what it does. */
const schedule = {
  scheduleId: z.string(),
  scheduleName: z.string(),
  action: z.string(),
};
/** The same, and when that was due, where nobody asked for it. */
const scheduled = { ...schedule, dueAt: timestamp.optional() };
/** A row of one of the lists of moderation: whom it is about, and for how long. */
const listed = {
  rowId: z.string(),
  playerId: int64Text.optional(),
  playerName: z.string().optional(),
  reason: z.string().optional(),
  until: timestamp.optional(),
  identities: identity(z.array(uint64Text)).optional(),
  address: identity(z.string()).optional(),
};
const ended = z.enum(['lifted', 'over']);
const lobby = { lobbyId: uint64Text };

/** What each event says, as it is kept: ids are digits. What is marked as an identity is shown to those alone who may `moderate`. */
export const eventData = {
  'chat.said': z.object({ ...player, message: z.string().min(1) }),
  'players.joined': z.object(visitor),
  'players.left': z.object(visitor),
  'players.refused': z.object({ ...player, door, ...status, identity: identity(account).optional() }),
  'players.turnedAway': z.object({ door, ...status, identity: identity(account).optional() }),
  'players.kicked': z.object(player),
  'players.banned': z.object(listed),
  'players.unbanned': z.object({ ...listed, why: ended }),
  'players.allowed': z.object(listed),
  'players.disallowed': z.object({ ...listed, why: ended }),
  'farm.dayStarted': z.object(date),
  'farm.dayEnded': z.object(date),
  'farm.saved': z.object({ saveGeneration }),
  'farm.loaded': z.object({
    farmId: z.string().optional(),
    farmName: z.string(),
    isNew: z.boolean(),
    operationId: z.string(),
  }),
  'farmhands.customized': z.object(player),
  'farmhands.abandoned': z.object({ playerId: int64Text }),
  'farmhands.deleted': z.object(player),
  'farmhands.bound': z.object({
    ...player,
    door: account.shape.space,
    origin: z.enum(['claim', 'operator']),
    identity: identity(account),
  }),
  'farmhands.released': z.object(player),
  'invites.step': z.object({ step: z.string(), from: z.string(), to: z.string(), ...status }),
  'invites.codes': z.object({ platform: z.string().optional(), network: z.string().optional() }),
  'invites.networkSignedIn': z.object({}),
  'invites.networkSignedOut': z.object(reason),
  'invites.lobbyOpened': z.object(lobby),
  'invites.lobbyClosed': z.object({ ...lobby, ...reason }),
  'game.starting': z.object(status),
  'game.waiting': z.object(status),
  'game.connected': z.object(status),
  'game.slow': z.object(status),
  'game.frozen': z.object(status),
  'game.recovered': z.object(status),
  'game.lost': z.object(status),
  'game.crashed': z.object({
    ...status,
    lastLines: identity(
      z.array(z.string()).meta({
        description: 'The latest output of the game, unchanged: it may be wrong',
      }),
    ).optional(),
  }),
  'game.stopped': z.object(status),
  'operations.ended': z.object({
    operationId: z.string(),
    command: z.string(),
    state: z.enum(['applied', 'refused', 'void', 'unknown']),
    reason: z.string().optional(),
    playerId: int64Text.optional(),
    playerName: z.string().optional(),
  }),
  'backups.made': z.object({ ...backup, bytes: z.int().min(0) }),
  'backups.failed': z.object({ why: z.enum(backupReasons), ...status }),
  'backups.deleted': z.object({ ...backup, by: z.enum(['hand', 'rule']) }),
  'backups.restoring': z.object({ ...backup, operationId: z.string(), step: z.enum(restoreSteps) }),
  'backups.restored': z.object({ ...backup, operationId: z.string() }),
  'backups.restoreFailed': z.object({ ...backup, operationId: z.string(), ...status }),
  'schedules.ran': z.object({ ...scheduled, operationId: z.string().optional() }),
  'schedules.failed': z.object({
    ...scheduled,
    outcome: z.enum(['failed', 'unknown']),
    operationId: z.string().optional(),
    ...status,
  }),
  'schedules.skipped': z.object({ ...scheduled, ...reason }),
  'schedules.switchedOff': z.object({ ...schedule, ...status }),
  'sidecar.session': z.object({ state: sessionState, ...status }),
  'sidecar.download': z.object({
    state: downloadState,
    isOutdated: z.literal(true).optional().meta({ description: 'Where the platform has another build' }),
    ...z.object(status).partial().shape,
  }),
  'server.started': z.object({ version: z.string() }),
  'server.stopping': z.object({}),
  'server.draining': z.object({
    phase: z.enum(drainPhases),
    when: z.enum(drainWhens),
    restart: z.boolean(),
    message: z.string().optional(),
    until: timestamp.optional(),
  }),
  'server.drained': z.object({ restart: z.boolean(), isSaved: z.boolean(), isBack: z.boolean() }),
  'server.drainEnded': z.object(reason),
  'server.settingsChanged': z.object({
    fields: z.array(z.string()).meta({ description: 'As `server.maxPlayers`' }),
  }),
  'webhooks.switchedOff': z.object({ webhookId: z.string(), webhookName: z.string(), ...status }),
  'state.changed': z.object({
    reads: z.array(z.string()).meta({ description: 'By their operationIds, such as `getStatus`' }),
  }),
} as const satisfies Record<EventType, z.ZodObject>;

export type EventOf<Type extends EventType> = {
  readonly [One in Type]: { readonly type: One; readonly data: Readonly<z.infer<(typeof eventData)[One]>> };
}[Type];

/** Something that happened, as the log has it. */
export type StewardEvent = EventOf<EventType>;

/** Undefined for what no event of this version says. */
export function readEvent(body: unknown): StewardEvent | undefined {
  if (typeof body !== 'object' || body === null || !('type' in body) || !('data' in body)) return undefined;
  const type = eventTypeNames.find((name) => name === body.type);
  const data = type && eventData[type].safeParse(body.data).data;
  return type === undefined || data === undefined ? undefined : ({ type, data } as StewardEvent);
}
