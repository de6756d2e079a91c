// Made by `npm run generate` from the OpenAPI document.
import type { Bytes, CallOptions, WriteOptions } from '../options.ts';

/** The code of an error that the server answers with. */
export type ProblemCode =
  | 'missing-parameter'
  | 'invalid-parameter'
  | 'unknown-parameter'
  | 'conflicting-parameters'
  | 'webhook-url-refused'
  | 'unexpected-body'
  | 'malformed-request'
  | 'unauthorized'
  | 'key-ended'
  | 'cross-site-request'
  | 'insufficient-scope'
  | 'not-owned'
  | 'not-found'
  | 'player-not-found'
  | 'farmhand-not-found'
  | 'operation-not-found'
  | 'key-not-found'
  | 'webhook-not-found'
  | 'drain-not-found'
  | 'ban-not-found'
  | 'farm-not-found'
  | 'backup-not-found'
  | 'schedule-not-found'
  | 'method-not-allowed'
  | 'request-timeout'
  | 'farmhand-online'
  | 'player-offline'
  | 'ban-needs-force'
  | 'too-many-bans'
  | 'bans-unreadable'
  | 'ambiguous-name'
  | 'key-name-taken'
  | 'too-many-keys'
  | 'keys-need-api-key'
  | 'webhook-name-taken'
  | 'too-many-webhooks'
  | 'drain-under-way'
  | 'schedule-name-taken'
  | 'too-many-schedules'
  | 'schedule-running'
  | 'schedule-off'
  | 'players-online'
  | 'backups-off'
  | 'backup-under-way'
  | 'backup-unfit'
  | 'no-save'
  | 'game-running'
  | 'download-off'
  | 'download-under-way'
  | 'game-files-missing'
  | 'nothing-staged'
  | 'no-sidecar'
  | 'settings-unreadable'
  | 'expectation-failed'
  | 'idempotency-key-reused'
  | 'upgrade-required'
  | 'too-many-requests'
  | 'request-too-large'
  | 'internal-error'
  | 'ownership-unwritable'
  | 'backup-failed'
  | 'publication-failed'
  | 'settings-unwritable'
  | 'not-supported-by-game'
  | 'unknown-method'
  | 'command-failed'
  | 'game-unavailable'
  | 'platform-unavailable'
  | 'state-unreadable'
  | 'state-unwritable'
  | 'too-many-connections'
  | 'shutting-down'
  | 'no-room'
  | 'command-void'
  | 'outcome-unknown';

/** What events are about: their types begin with it. */
export type Topic =
  | 'chat'
  | 'players'
  | 'farm'
  | 'farmhands'
  | 'invites'
  | 'game'
  | 'operations'
  | 'backups'
  | 'schedules'
  | 'sidecar'
  | 'server'
  | 'webhooks'
  | 'state';

export interface AdminGranted {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  /** Absent if the named player has not appeared yet and the game does not say who it is */
  playerId?: bigint;
  /** The same id in decimal digits. Absent if the named player has not appeared yet and the game does not say who it is */
  playerIdStr?: string;
  playerName: string;
  before: {
    isAdmin: boolean;
  };
  after: {
    isAdmin: boolean;
  };
}

export interface Allowlist {
  /** Whether only players on the list can join */
  isOn: boolean;
  allowlist: AllowlistRow[];
}

export interface AllowlistRow {
  id: string;
  playerName?: string;
  /** For a player: the identities that were known each time the player was listed; absent if they were unknown, and the farmhand’s owner is meant */
  identities?: string[];
  /** For an identity: its digits */
  identity?: string;
  /** For an address or a network */
  address?: string;
  /** Shown to the player */
  reason?: string;
  /** Absent if it never ends by itself */
  until?: string;
  /** Absent if somebody wrote it into the file */
  createdAt?: string;
  playerId?: bigint;
  /** The same id in decimal digits */
  playerIdStr?: string;
  /** It has ended: it lets nobody in */
  isOver?: true;
}

export interface Announced {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  /** The text was longer than 450 characters, and cut */
  truncated?: true;
  /** If it was cut: how many characters were shown, including the `…` at the end */
  length?: number;
}

export interface Audit {
  lines: AuditLine[];
}

/** One action, or one denied attempt */
export interface AuditLine {
  /** The key’s id; absent for API_KEY and without a key */
  keyId?: string;
  /** The client’s address; for a flood, the network that is counted */
  address?: string;
  door?: 'http' | 'ws' | 'schedule';
  /** The action in words */
  says: string;
  /** The parameters, without secrets; long values are cut */
  parameters?: Record<string, unknown>;
  /** Whom or what it affected */
  subject?: {
    id: bigint;
    name: string;
    /** The same id in decimal digits */
    idStr: string;
  };
  /** The code of the error in the answer */
  problem?: string;
  /** Also in the log lines of this request */
  requestId?: string;
  /** The number of such requests within a minute; the first one of a flood has its own line */
  count?: number;
  /** The service stopped before the outcome was known */
  interrupted?: true;
  /** Grows with each line; some numbers are skipped */
  number: number;
  /** ISO 8601 UTC with milliseconds */
  at: string;
  /** The name of the key, `owner` or `open`; `schedule <name>` for a schedule; `nobody` for a wrong key */
  actor: string;
  /** The operationId of the endpoint, or authenticate */
  action: string;
  /** applied: it was done; refused: nothing was done, and `problem` says why; void: the game did not apply it, and never will; unknown: it may have been done; failed: an error in the server; denied: the key was wrong, or lacked the scope */
  outcome: 'applied' | 'refused' | 'void' | 'unknown' | 'failed' | 'denied';
  operationId?: string;
}

export interface Backup {
  id: string;
  /** ISO 8601 UTC with milliseconds */
  madeAt: string;
  /** The version of Steward that made it */
  madeBy: string;
  why: 'asked' | 'schedule' | 'before-restore' | 'before-delete' | 'before-update' | 'before-farm-change' | 'imported';
  note?: string;
  /** The rule of BACKUP_KEEP never deletes it */
  keep: boolean;
  /** Of the file */
  bytes: number;
  /** The day in the save: the evening before, if the game saves at night */
  farm: {
    farmId?: string;
    farmName?: string;
    day?: number;
    season?: 'spring' | 'summer' | 'fall' | 'winter';
    year?: number;
    saveGeneration?: number;
  };
  parts: ('saves' | 'owners' | 'settings' | 'bans' | 'database')[];
  /** What should be in it but could not be copied */
  missing?: {
    part: 'saves' | 'owners' | 'settings' | 'bans' | 'database';
    reason: string;
  }[];
  /** It contains keys, webhooks and the audit: protect it like API_KEY */
  all: boolean;
}

export interface BackupDeleted {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  backup: Backup;
}

export interface BackupMade {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  backup: Backup;
}

export interface BackupRestored {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  backup: Backup;
  /** The backup to restore to go back; absent if there was no save */
  safetyBackupId?: string;
  /** The game came online again with the farm of the backup */
  isSeen: boolean;
}

export interface Backups {
  backups: Backup[];
  unreadable: {
    file: string;
    reason: string;
  }[];
  /** The size of all files in BACKUP_DIR that look like a backup */
  bytes: number;
  /** The free space on the disk of BACKUP_DIR */
  freeBytes: number;
  /** BACKUP_KEEP */
  rule: string;
}

export interface BanLifted {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  row: ModerationRow;
}

export interface Bans {
  bans: ModerationRow[];
}

export interface BansImported {
  success: true;
  /** What was done, as text */
  message: string;
  /** Absent in a dry run */
  operationId?: string;
  dryRun: boolean;
  list: 'bans' | 'allowlist';
  added: number;
  alreadyThere: number;
  /** Left out, because they have ended */
  over: number;
  /** Left out, with the reason */
  refused: {
    /** Counted from 0 */
    row: number;
    reason: string;
  }[];
}

export interface Cabins {
  /** Where cabins are placed */
  strategy: 'CabinStack' | 'FarmhouseStack' | 'None';
  totalCount: number;
  assignedCount: number;
  availableCount: number;
  cabins: {
    tileX: number;
    tileY: number;
    isHidden: boolean;
    type: 'Normal' | 'CabinStack' | 'FarmhouseStack' | 'SharedLobby' | 'IndividualLobby' | 'Editing';
    /** The id of the slot, also of an empty one; 0 if there is none */
    ownerId: bigint;
    ownerName: string;
    /** It has an owner who is customised */
    isAssigned: boolean;
    /** The same id in decimal digits */
    ownerIdStr: string;
  }[];
  savedPositionPlayerIds: bigint[];
  savedPositionPlayerIdStrs: string[];
}

export interface Caller {
  /** `owner` for API_KEY, `open` without one, otherwise the name of the key */
  name: string;
  /** Absent for the owner, and on a server without a key */
  keyId?: string;
  scopes: ('read' | 'chat' | 'operate' | 'moderate' | 'admin')[];
  /** Absent if it never ends by itself */
  expiresAt?: string;
}

export interface ChatSent {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  /** The game has shown it, as in `chat_sent` */
  status: 'delivered';
  /** The text was longer than 450 characters, and cut */
  truncated?: true;
  /** If it was cut: how many characters were shown, including the `…` at the end */
  length?: number;
}

export interface Deliveries {
  deliveries: Delivery[];
}

export interface Delivery {
  /** Grows with each delivery; some numbers are skipped */
  number: number;
  webhookId: string;
  webhookName: string;
  /** Its `webhook-id` */
  messageId: string;
  /** The type of the event, or gap */
  type: string;
  outcome: 'delivered' | 'givenUp';
  /** When it was delivered or given up */
  at: string;
  tries: number;
  status?: number;
  /** Why it was given up */
  reason?: string;
}

export interface Drain {
  /** Absent if there is none */
  draining?: Draining;
  /** Players who would have to leave */
  players: number;
  /** When the game saved last, as far as this service knows */
  savedAt?: string;
  /** For a person */
  lostIfStoppedNow: string;
}

export interface DrainEnded {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  /** Whether it had stopped the game, which now starts again, or can connect again */
  wasStopped: boolean;
}

export interface Draining {
  /** stopped: it is over, and the game stays stopped until DELETE /drain or the next start of the service */
  phase: 'waiting' | 'counting' | 'leaving' | 'saving' | 'stopping' | 'starting' | 'stopped';
  when: 'now' | 'empty' | 'day-end';
  restart: boolean;
  message?: string;
  /** ISO 8601 UTC with milliseconds */
  startedAt: string;
  /** When the wait or the countdown ends at the latest */
  until?: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId?: string;
}

/** What Event has as its `data`, by its `type`. */
export interface EventData {
  /** Events at this place are lost: the server was killed, or they are no longer kept */
  'gap': object;
  /** A player wrote in the public chat */
  'chat.said': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
    message: string;
  };
  /** A player joined */
  'players.joined': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
    /** The way in */
    door: 'platform-relay' | 'network-p2p' | 'direct-ip' | 'unknown';
    /** Absent for a key without the scope moderate */
    connectionId?: string;
  };
  /** A player left */
  'players.left': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
    /** The way in */
    door: 'platform-relay' | 'network-p2p' | 'direct-ip' | 'unknown';
    /** Absent for a key without the scope moderate */
    connectionId?: string;
  };
  /** A player was refused a farmhand; once for each attempt */
  'players.refused': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
    /** The way in */
    door: 'platform-relay' | 'network-p2p' | 'direct-ip' | 'unknown';
    reason: string;
    remedy?: string;
    /** Absent for a key without the scope moderate */
    identity?: {
      space: 'platform' | 'network';
      /** An unsigned 64-bit integer as a decimal string */
      id: string;
    };
  };
  /** A player was refused before they saw any farmhand; once for each attempt */
  'players.turnedAway': {
    /** The way in */
    door: 'platform-relay' | 'network-p2p' | 'direct-ip' | 'unknown';
    reason: string;
    remedy?: string;
    /** Absent for a key without the scope moderate */
    identity?: {
      space: 'platform' | 'network';
      /** An unsigned 64-bit integer as a decimal string */
      id: string;
    };
  };
  /** A player was kicked, and may come back */
  'players.kicked': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
  };
  /** Somebody was banned */
  'players.banned': {
    rowId: string;
    playerId?: bigint;
    /** The same id in decimal digits */
    playerIdStr?: string;
    playerName?: string;
    reason?: string;
    /** ISO 8601 UTC with milliseconds */
    until?: string;
    /** Absent for a key without the scope moderate */
    identities?: string[];
    /** Absent for a key without the scope moderate */
    address?: string;
  };
  /** A ban was lifted, or is over */
  'players.unbanned': {
    rowId: string;
    playerId?: bigint;
    /** The same id in decimal digits */
    playerIdStr?: string;
    playerName?: string;
    reason?: string;
    /** ISO 8601 UTC with milliseconds */
    until?: string;
    /** Absent for a key without the scope moderate */
    identities?: string[];
    /** Absent for a key without the scope moderate */
    address?: string;
    why: 'lifted' | 'over';
  };
  /** Somebody was added to the allowlist */
  'players.allowed': {
    rowId: string;
    playerId?: bigint;
    /** The same id in decimal digits */
    playerIdStr?: string;
    playerName?: string;
    reason?: string;
    /** ISO 8601 UTC with milliseconds */
    until?: string;
    /** Absent for a key without the scope moderate */
    identities?: string[];
    /** Absent for a key without the scope moderate */
    address?: string;
  };
  /** Somebody was removed from the allowlist */
  'players.disallowed': {
    rowId: string;
    playerId?: bigint;
    /** The same id in decimal digits */
    playerIdStr?: string;
    playerName?: string;
    reason?: string;
    /** ISO 8601 UTC with milliseconds */
    until?: string;
    /** Absent for a key without the scope moderate */
    identities?: string[];
    /** Absent for a key without the scope moderate */
    address?: string;
    why: 'lifted' | 'over';
  };
  /** A day began */
  'farm.dayStarted': {
    day: number;
    season: 'spring' | 'summer' | 'fall' | 'winter';
    year: number;
  };
  /** A day ended */
  'farm.dayEnded': {
    day: number;
    season: 'spring' | 'summer' | 'fall' | 'winter';
    year: number;
  };
  /** The game saved */
  'farm.saved': {
    saveGeneration: number;
  };
  /** Another farm is loaded: an existing one, or a new one */
  'farm.loaded': {
    farmId?: string;
    farmName: string;
    isNew: boolean;
    operationId: string;
  };
  /** A player created a farmhand in a slot */
  'farmhands.customized': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
  };
  /** A player left a slot without creating a farmhand */
  'farmhands.abandoned': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
  };
  /** A farmhand was deleted */
  'farmhands.deleted': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
  };
  /** A farmhand has a new owner */
  'farmhands.bound': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
    door: 'platform' | 'network';
    origin: 'claim' | 'operator';
    /** Absent for a key without the scope moderate */
    identity?: {
      space: 'platform' | 'network';
      /** An unsigned 64-bit integer as a decimal string */
      id: string;
    };
  };
  /** A farmhand is free for the next player */
  'farmhands.released': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
  };
  /** A step to the invite codes has a new state */
  'invites.step': {
    step: string;
    from: string;
    to: string;
    reason: string;
    remedy?: string;
  };
  /** These invite codes work now; without any, no code works */
  'invites.codes': {
    platform?: string;
    network?: string;
  };
  /** The game signed in to the cross-platform network */
  'invites.networkSignedIn': object;
  /** The game is no longer signed in to the cross-platform network */
  'invites.networkSignedOut': {
    reason: string;
  };
  /** The game’s lobby on the cross-platform network is open */
  'invites.lobbyOpened': {
    /** An unsigned 64-bit integer as a decimal string */
    lobbyId: string;
  };
  /** The game’s lobby on the cross-platform network is closed */
  'invites.lobbyClosed': {
    /** An unsigned 64-bit integer as a decimal string */
    lobbyId: string;
    reason: string;
  };
  /** The game is being started */
  'game.starting': {
    reason: string;
    remedy?: string;
  };
  /** No game is connected yet */
  'game.waiting': {
    reason: string;
    remedy?: string;
  };
  /** The game is connected */
  'game.connected': {
    reason: string;
    remedy?: string;
  };
  /** The game ticks late; sent once while this lasts */
  'game.slow': {
    reason: string;
    remedy?: string;
  };
  /** The game no longer ticks */
  'game.frozen': {
    reason: string;
    remedy?: string;
  };
  /** The game has ticked on time for a while */
  'game.recovered': {
    reason: string;
    remedy?: string;
  };
  /** The connection to the game was lost or given up */
  'game.lost': {
    reason: string;
    remedy?: string;
  };
  /** The game that this service started exited by itself, and is started again */
  'game.crashed': {
    reason: string;
    remedy?: string;
    /** The latest output of the game, unchanged: it may be wrong. Absent for a key without the scope moderate */
    lastLines?: string[];
  };
  /** The game was stopped: this service stops, or a drain, an update or a restore needs it away */
  'game.stopped': {
    reason: string;
    remedy?: string;
  };
  /** A requested change has ended, or its outcome is unknown */
  'operations.ended': {
    operationId: string;
    command: string;
    state: 'applied' | 'refused' | 'void' | 'unknown';
    reason?: string;
    playerId?: bigint;
    /** The same id in decimal digits */
    playerIdStr?: string;
    playerName?: string;
  };
  /** A backup was made and verified */
  'backups.made': {
    backupId: string;
    why: 'asked' | 'schedule' | 'before-restore' | 'before-delete' | 'before-update' | 'before-farm-change' | 'imported';
    day?: number;
    season?: 'spring' | 'summer' | 'fall' | 'winter';
    year?: number;
    bytes: number;
  };
  /** A backup failed, and nothing of it was kept */
  'backups.failed': {
    why: 'asked' | 'schedule' | 'before-restore' | 'before-delete' | 'before-update' | 'before-farm-change' | 'imported';
    reason: string;
    remedy?: string;
  };
  /** A backup was deleted: manually, or by the rule of BACKUP_KEEP */
  'backups.deleted': {
    backupId: string;
    why: 'asked' | 'schedule' | 'before-restore' | 'before-delete' | 'before-update' | 'before-farm-change' | 'imported';
    day?: number;
    season?: 'spring' | 'summer' | 'fall' | 'winter';
    year?: number;
    by: 'hand' | 'rule';
  };
  /** A restore started a new step */
  'backups.restoring': {
    backupId: string;
    why: 'asked' | 'schedule' | 'before-restore' | 'before-delete' | 'before-update' | 'before-farm-change' | 'imported';
    day?: number;
    season?: 'spring' | 'summer' | 'fall' | 'winter';
    year?: number;
    operationId: string;
    step: 'checking' | 'stopping-game' | 'safety-backup' | 'unpacking' | 'swapping' | 'starting-game';
  };
  /** A backup was restored */
  'backups.restored': {
    backupId: string;
    why: 'asked' | 'schedule' | 'before-restore' | 'before-delete' | 'before-update' | 'before-farm-change' | 'imported';
    day?: number;
    season?: 'spring' | 'summer' | 'fall' | 'winter';
    year?: number;
    operationId: string;
  };
  /** A restore failed, and nothing has changed */
  'backups.restoreFailed': {
    backupId: string;
    why: 'asked' | 'schedule' | 'before-restore' | 'before-delete' | 'before-update' | 'before-farm-change' | 'imported';
    day?: number;
    season?: 'spring' | 'summer' | 'fall' | 'winter';
    year?: number;
    operationId: string;
    reason: string;
    remedy?: string;
  };
  /** A schedule ran */
  'schedules.ran': {
    scheduleId: string;
    scheduleName: string;
    action: string;
    /** ISO 8601 UTC with milliseconds */
    dueAt?: string;
    operationId?: string;
  };
  /** A run of a schedule failed, or its outcome is unknown */
  'schedules.failed': {
    scheduleId: string;
    scheduleName: string;
    action: string;
    /** ISO 8601 UTC with milliseconds */
    dueAt?: string;
    outcome: 'failed' | 'unknown';
    operationId?: string;
    reason: string;
    remedy?: string;
  };
  /** A run of a schedule was skipped: it was missed, or the previous run was still running */
  'schedules.skipped': {
    scheduleId: string;
    scheduleName: string;
    action: string;
    /** ISO 8601 UTC with milliseconds */
    dueAt?: string;
    reason: string;
  };
  /** A schedule was switched off: the key that created it has ended */
  'schedules.switchedOff': {
    scheduleId: string;
    scheduleName: string;
    action: string;
    reason: string;
    remedy?: string;
  };
  /** The platform session has a new state */
  'sidecar.session': {
    state: 'no-account' | 'paced' | 'logging-in' | 'logged-in' | 'retrying' | 'rate-limited' | 'replaced' | 'credentials-refused';
    reason: string;
    remedy?: string;
  };
  /** The game’s files have a new state, or the platform has another build */
  'sidecar.download': {
    state: 'whole' | 'missing' | 'downloading';
    /** Where the platform has another build */
    isOutdated?: true;
    reason?: string;
    remedy?: string;
  };
  /** This service has started */
  'server.started': {
    version: string;
  };
  /** This service is stopping */
  'server.stopping': object;
  /** A drain started a new step */
  'server.draining': {
    phase: 'waiting' | 'counting' | 'leaving' | 'saving' | 'stopping' | 'starting' | 'stopped';
    when: 'now' | 'empty' | 'day-end';
    restart: boolean;
    message?: string;
    /** ISO 8601 UTC with milliseconds */
    until?: string;
  };
  /** A drain ended, and the game is stopped, or back */
  'server.drained': {
    restart: boolean;
    isSaved: boolean;
    isBack: boolean;
  };
  /** A drain was cancelled or failed: players can join again */
  'server.drainEnded': {
    reason: string;
  };
  /** Settings were changed, by a request or in the file */
  'server.settingsChanged': {
    /** As `server.maxPlayers` */
    fields: string[];
  };
  /** A webhook was switched off until somebody resumes it */
  'webhooks.switchedOff': {
    webhookId: string;
    webhookName: string;
    reason: string;
    remedy?: string;
  };
  /** These read operations have a new answer; the cursor is the current place in the event log */
  'state.changed': {
    /** By their operationIds, such as `getStatus` */
    reads: string[];
  };
}

/** What can be said in the `type` of Event. */
export type EventType = keyof EventData;

/** An event */
export type Event = {
  [Type in EventType]: {
    type: Type;
    /** ISO 8601 UTC with milliseconds */
    at: string;
    /** The place of this event in the log. Store the last one; its form may change. */
    cursor: string;
    /** INSTANCE_NAME, if it is set */
    instance?: string;
    data: EventData[Type];
  };
}[EventType];

export interface Events {
  events: Event[];
  /** Some of the requested events are lost: the server was killed, or they are no longer kept */
  gap: boolean;
  /** The place after this page: the `after` of the next one */
  cursor: string;
}

export interface FarmhandDeleted {
  success: true;
  /** What was done, as text */
  message: string;
  /** Absent in a dry run */
  operationId?: string;
  dryRun: boolean;
  /** Absent if the named player has not appeared yet and the game does not say who it is */
  playerId?: bigint;
  /** The same id in decimal digits. Absent if the named player has not appeared yet and the game does not say who it is */
  playerIdStr?: string;
  playerName: string;
  before: {
    exists: boolean;
  };
  after: {
    exists: boolean;
  };
}

export interface FarmhandRebound {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  playerId: bigint;
  /** The same id in decimal digits */
  playerIdStr: string;
  playerName: string;
  before: {
    /** Somebody owns it; nobody else can join with it */
    owned: boolean;
    /** The next player who takes it owns it */
    released: boolean;
    /** The kind of the owner’s id: the primary platform or the cross-platform network */
    door?: 'platform' | 'network';
    /** claim: the owner took it; operator: an operator gave it to them */
    origin?: 'claim' | 'operator';
  };
  after: {
    /** Somebody owns it; nobody else can join with it */
    owned: boolean;
    /** The next player who takes it owns it */
    released: boolean;
    /** The kind of the owner’s id: the primary platform or the cross-platform network */
    door?: 'platform' | 'network';
    /** claim: the owner took it; operator: an operator gave it to them */
    origin?: 'claim' | 'operator';
  };
}

export interface FarmhandReleased {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  playerId: bigint;
  /** The same id in decimal digits */
  playerIdStr: string;
  playerName: string;
  before: {
    /** Somebody owns it; nobody else can join with it */
    owned: boolean;
    /** The next player who takes it owns it */
    released: boolean;
    /** The kind of the owner’s id: the primary platform or the cross-platform network */
    door?: 'platform' | 'network';
    /** claim: the owner took it; operator: an operator gave it to them */
    origin?: 'claim' | 'operator';
  };
  after: {
    /** Somebody owns it; nobody else can join with it */
    owned: boolean;
    /** The next player who takes it owns it */
    released: boolean;
    /** The kind of the owner’s id: the primary platform or the cross-platform network */
    door?: 'platform' | 'network';
    /** claim: the owner took it; operator: an operator gave it to them */
    origin?: 'claim' | 'operator';
  };
}

export interface Farmhands {
  farmhands: {
    id: bigint;
    /** The same id in decimal digits */
    idStr: string;
    /** Empty for a slot that nobody has taken */
    name: string;
    isCustomized: boolean;
    isOnline: boolean;
    /** Absent with GAME_BRIDGE=existing */
    isAdmin?: boolean;
    /** Somebody owns it; nobody else can join with it. Absent if it is unknown: the ownership map is not read, cannot be read, or was lost with this farmhand in it; and with GAME_BRIDGE=existing */
    owned?: boolean;
    /** The next player who takes it owns it. Absent if it is unknown: the ownership map is not read, cannot be read, or was lost with this farmhand in it; and with GAME_BRIDGE=existing */
    released?: boolean;
    /** The kind of the owner’s id: the primary platform or the cross-platform network */
    door?: 'platform' | 'network';
    /** claim: the owner took it; operator: an operator gave it to them */
    origin?: 'claim' | 'operator';
  }[];
  /** Grows with each change that the game reports; 0 before the first */
  version: number;
}

export interface Farms {
  farms: SavedFarm[];
}

export interface GameLog {
  lines: {
    /** ISO 8601 UTC with milliseconds */
    at: string;
    /** stdout has what the game prints beside its messages to the bridge */
    stream: 'stdout' | 'stderr';
    /** The game's own text */
    text: string;
  }[];
}

export interface GameSaved {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  /** How often the farm was saved */
  saveGeneration: number;
  before: {
    saveGeneration: number;
  };
  after: {
    saveGeneration: number;
  };
}

export interface Health {
  /** degraded: the process answers, but the game does not tick */
  status: 'ok' | 'degraded';
  /** ISO 8601 UTC with milliseconds */
  timestamp: string;
  /** Since the game's last tick; absent before the first */
  lastTickMs?: number;
  pendingActions: number;
  /** Players can join; absent while unknown */
  gameAvailable?: boolean;
  tickCount: number;
  /** The state of the game, and since when */
  game: {
    status: 'starting' | 'waiting' | 'live' | 'slow' | 'frozen' | 'gone' | 'restarting' | 'stopped';
    /** ISO 8601 UTC with milliseconds */
    since: string;
  };
  /** No tick yet, or none for 5 seconds */
  isFrozen: boolean;
}

export interface InviteCode {
  /** The code that players type in; absent if there is none */
  inviteCode?: string;
  /** Why there is no code, and how to fix it */
  error?: string;
}

/** One step to the invite code */
export interface InviteWayStep {
  step: 'sidecar' | 'login' | 'ticket' | 'network-sign-in' | 'network-lobby' | 'platform-lobby' | 'link' | 'codes';
  /** off: not used by this server; waiting: for an earlier step; working: in progress; ok; failed: it is retried; lost: it was ok, and is retried */
  state: 'off' | 'waiting' | 'working' | 'ok' | 'failed' | 'lost';
  /** Why it is in this state */
  reason: string;
  /** How to fix it, or that you need not do anything */
  remedy?: string;
  /** When it entered this state */
  since: string;
  /** When it is retried */
  nextRetry?: string;
}

export interface Key {
  id: string;
  name: string;
  scopes: ('read' | 'chat' | 'operate' | 'moderate' | 'admin')[];
  state: 'active' | 'revoked' | 'expired';
  /** ISO 8601 UTC with milliseconds */
  createdAt: string;
  /** Absent if it never ends by itself */
  expiresAt?: string;
  /** Accurate to the minute; absent if it was never used */
  lastUsedAt?: string;
  /** When it was revoked or expired */
  endedAt?: string;
  /** How long the secret from before the last rotation still works */
  oldSecretUntil?: string;
}

export interface KeyMade {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  key: Key;
  /** The key itself: shown only in this answer */
  secret?: string;
  /** Instead of the secret, if the first answer to this request had it */
  secretShown?: true;
}

export interface KeyRevoked {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  key: Key;
}

export interface KeyRotated {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  key: Key;
  /** The key itself: shown only in this answer */
  secret?: string;
  /** Instead of the secret, if the first answer to this request had it */
  secretShown?: true;
}

export interface Keys {
  keys: Key[];
}

/** What it applies to: a player, an identity or an address */
export interface ModerationRow {
  id: string;
  playerName?: string;
  /** For a player: the identities that were known each time the player was listed; absent if they were unknown, and the farmhand’s owner is meant */
  identities?: string[];
  /** For an identity: its digits */
  identity?: string;
  /** For an address or a network */
  address?: string;
  /** Shown to the player */
  reason?: string;
  /** Absent if it never ends by itself */
  until?: string;
  /** Absent if somebody wrote it into the file */
  createdAt?: string;
  playerId?: bigint;
  /** The same id in decimal digits */
  playerIdStr?: string;
}

/** Why players cannot join. Also problems that keep nobody out: codes come and go (`account-contended`), chat does not work (`no-chat`), data is lost at a restart (`state-unreadable`), a change of the bans is not in effect (`bans-outdated`), or, if ownership of farmhands is not enforced, state cannot be stored (`state-unwritable`) */
export interface Obstacle {
  code: 'no-game' | 'game-slow' | 'game-frozen' | 'no-state' | 'no-farm' | 'not-ready' | 'no-way-in' | 'draining' | 'account-contended' | 'no-chat' | 'state-unreadable' | 'state-unwritable' | 'bans-unreadable' | 'bans-outdated' | 'ownership-incomplete' | 'ownership-unreadable' | 'ownership-unwritable';
  /** What is wrong */
  reason: string;
  /** What to do, or that you need not do anything */
  remedy: string;
  /** ISO 8601 UTC with milliseconds */
  since?: string;
  /** The step to the invite code that has this problem */
  step?: 'sidecar' | 'login' | 'ticket' | 'network-sign-in' | 'network-lobby' | 'platform-lobby' | 'link' | 'codes';
  /** When it is retried */
  nextRetry?: string;
}

/** How one requested change ended */
export interface Operation {
  operationId: string;
  command: 'setRenderRate' | 'setTime' | 'grantAdmin' | 'deleteFarmhand' | 'clearStamp' | 'sendChat' | 'announce' | 'kick' | 'applySettings' | 'linkLobby' | 'newFarm' | 'loadFarm' | 'save' | 'stop' | 'rebindFarmhand' | 'releaseFarmhand' | 'createKey' | 'revokeKey' | 'rotateKey' | 'createWebhook' | 'deleteWebhook' | 'resumeWebhook' | 'testWebhook' | 'createBackup' | 'deleteBackup' | 'restoreBackup' | 'drain' | 'endDrain' | 'createFarm' | 'changeFarm' | 'updateGame' | 'createSchedule' | 'deleteSchedule' | 'runSchedule' | 'addBan' | 'removeBan' | 'allowPlayer' | 'disallowPlayer' | 'importBans';
  /** pending and claimed: in progress; unknown: the game accepted it, and the outcome is not known yet; applied, refused, void: final */
  state: 'pending' | 'claimed' | 'unknown' | 'applied' | 'refused' | 'void';
  /** ISO 8601 UTC with milliseconds */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds */
  changedAt: string;
  why?: string;
  /** The current or last step, if it has steps */
  step?: string;
  /** For an unknown outcome: it will never be known */
  forGood?: true;
  subject?: {
    id: bigint;
    name: string;
    /** The same id in decimal digits */
    idStr: string;
  };
  /** Without platform and network identities if the key lacks the scope moderate; nothing about keys and webhooks if it lacks admin */
  before?: Record<string, unknown>;
  /** Without platform and network identities if the key lacks the scope moderate; nothing about keys and webhooks if it lacks admin */
  after?: Record<string, unknown>;
  refusal?: {
    code: string;
    message: string;
  };
}

export interface Operations {
  operations: Operation[];
}

export interface PlayerAllowed {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  row: ModerationRow;
}

export interface PlayerBanned {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  row: ModerationRow;
  /** Players who were kicked */
  kicked: {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
  }[];
  /** Players who are still online, and why; Steward tries again */
  stillOnline: {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
    reason: string;
  }[];
}

export interface PlayerDisallowed {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  row: ModerationRow;
}

export interface PlayerKicked {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  /** Absent if the named player has not appeared yet and the game does not say who it is */
  playerId?: bigint;
  /** The same id in decimal digits. Absent if the named player has not appeared yet and the game does not say who it is */
  playerIdStr?: string;
  playerName: string;
  before: {
    isOnline: boolean;
  };
  after: {
    isOnline: boolean;
  };
}

export interface Players {
  players: {
    id: bigint;
    /** The same id in decimal digits */
    idStr: string;
    /** Empty until the player’s client has sent it */
    name: string;
    isOnline: boolean;
    /** true while somebody is joining or creating a character, and has no name yet */
    isJoining?: boolean;
    /** Absent with GAME_BRIDGE=existing */
    isAdmin?: boolean;
  }[];
  /** Grows with each change that the game reports; 0 before the first */
  version: number;
}

/** What went wrong, and what to do */
export interface Problem {
  /** Always about:blank; use `code` in your program */
  type: string;
  /** What the code means in general */
  title: string;
  /** The HTTP status */
  status: number;
  /** A stable name for this kind of error; later versions may have more */
  code: ProblemCode | (string & {});
  /** What went wrong this time, and what to do */
  detail: string;
  /** Stands on the log lines of this request, too */
  requestId?: string;
  /** For clients of the existing server */
  success: false;
  /** The same text as `detail`, for clients of the existing server */
  error: string;
  /** The same request may succeed later; the header Retry-After says when */
  retry?: true;
  /** For a command that was sent to the game. false: it was not applied and never will be. null: unknown; GET /operations/{id} may show it later. Together with `waiting` it is only about the game: the settings file has the change */
  applied?: false | null;
  /** For GET /operations/{id}, if the command became an operation before it failed */
  operationId?: string;
  /** For a change of settings that is in the file: what the game has not confirmed */
  waiting?: WaitingSettings;
  /** The players or farmhands with an ambiguous name */
  matches?: {
    id: bigint;
    /** The same id in decimal digits */
    idStr: string;
    name: string;
  }[];
  [member: string]: unknown;
}

export interface Readiness {
  /** Players can join now */
  ready: boolean;
  /** ISO 8601 UTC with milliseconds */
  timestamp: string;
  obstacles: Obstacle[];
  /** The steps to the invite codes, from the sidecar to the codes */
  inviteWay: InviteWayStep[];
}

export interface Rendering {
  fps: number;
}

export interface RenderingChanged {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  fps: number;
  previousFps: number;
  before: {
    fps: number;
  };
  after: {
    fps: number;
  };
}

export interface Samples {
  /** Start of the first step */
  from: string;
  step: 'minute' | 'hour' | 'day';
  stepSeconds: number;
  /** Players online, on average */
  players: (number | null)[];
  /** The highest number of players online */
  mostPlayers: (number | null)[];
  /** Measured tick rate of the game, while there was one */
  ticksPerSecond: (number | null)[];
  /** The longest time without a tick from the game, which ticks at least once a second; null with GAME_BRIDGE=existing */
  tickGapMs: (number | null)[];
  /** The longest time until the game started a command or, with GAME_BRIDGE=existing, until that server answered a request; null if there was none */
  bridgeLatencyMs: (number | null)[];
  /** The highest memory use of the control API */
  serviceMemoryMb: (number | null)[];
  /** The highest memory use that the game reported */
  gameMemoryMb: (number | null)[];
}

export interface SavedFarm {
  /** The farm's id, which never changes */
  id: string;
  farmName: string;
  /** The name of the host */
  farmer?: string;
  day?: number;
  season?: 'spring' | 'summer' | 'fall' | 'winter';
  year?: number;
  /** When it was last saved */
  lastPlayedAt?: string;
  /** Whether it is the loaded one */
  isLoaded: boolean;
}

export interface Schedule {
  id: string;
  name: string;
  action: 'save' | 'announce' | 'rendering' | 'backup' | 'drain' | 'update';
  /** The parameters of the action */
  parameters: Record<string, unknown>;
  cron?: string;
  /** The time zone of `cron` */
  timeZone?: string;
  missed?: 'skip' | 'once';
  /** Instead of `cron` */
  emptyMinutes?: number;
  /** The name of the key, `owner` or `open` */
  madeBy: string;
  /** ISO 8601 UTC with milliseconds */
  createdAt: string;
  /** off: the key that made it has ended */
  state: 'active' | 'off';
  /** Why it is off */
  reason?: string;
  /** When it runs next; absent if it is off, and with `emptyMinutes` while somebody is online, while it is unknown whether anybody is, and once it was due, until somebody has been online again */
  nextRun?: string;
  lastRun?: ScheduleRun;
}

export interface ScheduleDeleted {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  schedule: Schedule;
}

export interface ScheduleMade {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  schedule: Schedule;
}

export interface ScheduleRun {
  /** When it started, or was skipped */
  at: string;
  /** When it was due; absent if somebody started it */
  dueAt?: string;
  /** ISO 8601 UTC with milliseconds */
  endedAt?: string;
  /** Absent while it runs. applied: it was done; failed: it was not done, and `reason` says why; unknown: it may have been done; skipped: it was not started: the previous run was still running, or it was missed */
  outcome?: 'applied' | 'failed' | 'unknown' | 'skipped';
  /** The operation of this run, for GET /operations/{id} */
  operationId?: string;
  reason?: string;
}

export interface ScheduleRunNow {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  schedule: Schedule;
  run: ScheduleRun;
}

export interface Schedules {
  schedules: Schedule[];
}

export interface Settings {
  /** The settings for a new farm; with GAME_BRIDGE=existing what that server reports */
  game: {
    /** The farm's name */
    farmName?: string;
    /** A built-in type's index, or a mod farm's id */
    farmType?: number | string;
    /** The price of goods, as a part of the normal price */
    profitMargin?: number;
    /** How many cabins there are from the first day on */
    startingCabins?: number;
    /** Whether monsters appear at night; auto: depends on the type of the farm */
    spawnMonstersAtNight?: 'true' | 'false' | 'auto';
    /** Whether the community center's bundles are remixed */
    remixBundles?: boolean;
    /** Whether the rewards in the mines are remixed */
    remixMines?: boolean;
    /** Whether it is guaranteed that the community center can be completed in the first year */
    communityCenterYear1?: boolean;
    /** Whether the first cabins are close together */
    cabinLayoutNearby?: boolean;
    /** Whether to use the random numbers of older versions of the game */
    useLegacyRandom?: boolean;
    /** The seed of the farm's random numbers; random by default */
    randomSeed?: string;
    /** The pet: 0 to 4 are cats, 5 to 9 dogs, anything else is none */
    petBreed?: number;
    /** The pet's name */
    petName?: string;
    /** Whether the cave grows mushrooms; otherwise it has fruit bats */
    mushroomCave?: boolean;
    /** Whether the community center becomes the company's warehouse */
    buyJoja?: boolean;
  };
  /** All settings; with GAME_BRIDGE=existing what that server reports */
  server: {
    /** How many players may be online */
    maxPlayers?: number;
    /** Where cabins are placed */
    cabinStrategy?: 'CabinStack' | 'FarmhouseStack' | 'None';
    /** Whether each player has their own money */
    separateWallets?: boolean;
    /** What happens to existing cabins */
    existingCabinBehavior?: 'KeepExisting' | 'MoveToStack';
    /** Whether the game logs more */
    verboseLogging?: boolean;
    /** Whether players may join by direct IP */
    allowIpConnections?: boolean;
    /** Whether a farmhand belongs to the player who first took it */
    enforceFarmhandOwnership?: boolean;
    /** Whether players who log in wait together or separately */
    lobbyMode?: 'Shared' | 'Individual';
    /** The layout of that waiting room */
    activeLobbyLayout?: string;
    /** Accounts that become admin when they join, on either network. Absent for a key without the scope moderate */
    adminPlatformIds?: string[];
    /** Ticks between two broadcasts of positions */
    networkBroadcastPeriod?: number;
  };
  waiting: WaitingSettings;
  /** Why the file is ignored and these are the defaults */
  problem?: string;
}

export interface SettingsChanged {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  /** The named settings before the change */
  before: {
    /** How many players may be online */
    maxPlayers?: number;
    /** Where cabins are placed */
    cabinStrategy?: 'CabinStack' | 'FarmhouseStack' | 'None';
    /** Whether each player has their own money */
    separateWallets?: boolean;
    /** What happens to existing cabins */
    existingCabinBehavior?: 'KeepExisting' | 'MoveToStack';
    /** Whether the game logs more */
    verboseLogging?: boolean;
    /** Whether players may join by direct IP */
    allowIpConnections?: boolean;
    /** Whether a farmhand belongs to the player who first took it */
    enforceFarmhandOwnership?: boolean;
    /** Whether players who log in wait together or separately */
    lobbyMode?: 'Shared' | 'Individual';
    /** The layout of that waiting room */
    activeLobbyLayout?: string;
    /** Accounts that become admin when they join, on either network. Absent for a key without the scope moderate */
    adminPlatformIds?: string[];
    /** Ticks between two broadcasts of positions */
    networkBroadcastPeriod?: number;
  };
  /** The named settings after the change */
  after: {
    /** How many players may be online */
    maxPlayers?: number;
    /** Where cabins are placed */
    cabinStrategy?: 'CabinStack' | 'FarmhouseStack' | 'None';
    /** Whether each player has their own money */
    separateWallets?: boolean;
    /** What happens to existing cabins */
    existingCabinBehavior?: 'KeepExisting' | 'MoveToStack';
    /** Whether the game logs more */
    verboseLogging?: boolean;
    /** Whether players may join by direct IP */
    allowIpConnections?: boolean;
    /** Whether a farmhand belongs to the player who first took it */
    enforceFarmhandOwnership?: boolean;
    /** Whether players who log in wait together or separately */
    lobbyMode?: 'Shared' | 'Individual';
    /** The layout of that waiting room */
    activeLobbyLayout?: string;
    /** Accounts that become admin when they join, on either network. Absent for a key without the scope moderate */
    adminPlatformIds?: string[];
    /** Ticks between two broadcasts of positions */
    networkBroadcastPeriod?: number;
  };
  waiting: WaitingSettings;
}

export interface Stats {
  fps: number;
  tps: number;
  targetTps: number;
  avgTickMs: number;
  memoryMb: number;
  gcGen0: number;
  gcGen1: number;
  gcGen2: number;
  pendingActions: number;
  gameThreadWaitMs: number;
  uptimeSeconds?: number;
  /** Absent before the game has reported its uptime */
  startedAtUtc?: string;
}

export interface Status {
  /** Online players, without the host */
  playerCount: number;
  maxPlayers: number;
  /** The mod's own version */
  serverVersion: string;
  /** The game's version. A mod sends what the game calls its protocol version: it is put into the platform lobby, and the game's clients compare it exactly */
  gameVersion: string;
  /** A farm is loaded and players can connect */
  isOnline: boolean;
  /** Players can join now */
  isReady: boolean;
  dayTransitionComplete: boolean;
  isPaused: boolean;
  farmName: string;
  farmTypeKey: string;
  day: number;
  season: 'spring' | 'summer' | 'fall' | 'winter' | '';
  year: number;
  timeOfDay: number;
  /** For players on the primary platform */
  steamInviteCode?: string;
  /** For players on the cross-platform network */
  gogInviteCode?: string;
  /** When the game last sent something; empty before that */
  lastUpdated: string | '';
  /** Grows with each change that the game reports; 0 before the first */
  version: number;
  /** Players can join now */
  isJoinable: boolean;
  /** Why they cannot join, and other problems */
  obstacles: Obstacle[];
  /** The steps to the invite codes, from the sidecar to the codes */
  inviteWay: InviteWayStep[];
  /** INSTANCE_NAME, if it is set */
  instance?: string;
  /** Since when nobody is online, also across restarts; absent while somebody is online or it is unknown */
  emptySince?: string;
  /** Commands and questions to the game that work now (`setTime`, `kick`, `farms`), and changes of bans, owners and settings that this service makes itself (`addBan`), by their names in operations. While a game is connected, a request for one that is missing is 501. Nothing else is listed, such as backups, keys and drains */
  capabilities: string[];
  /** A drain is running, or has stopped the game; absent otherwise */
  draining?: Draining;
  /** Whether the platform has another build of the game than GAME_DIR, as the sidecar reports; absent without a sidecar, and while the files are incomplete */
  gameUpdate?: {
    state: 'current' | 'available' | 'unknown';
    /** ISO 8601 UTC with milliseconds */
    since: string;
    /** When the platform answered last */
    checkedAt?: string;
    reason?: string;
    remedy?: string;
  };
  /** Files that a newer version wrote; absent if there are none */
  unreadFiles?: UnreadFile[];
}

export interface Time {
  timeOfDay: number;
  day: number;
  season: 'spring' | 'summer' | 'fall' | 'winter' | '';
  year: number;
  isPaused: boolean;
  /** Grows with each change that the game reports; 0 before the first */
  version: number;
}

export interface TimeChanged {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  timeOfDay: number;
  before: {
    timeOfDay: number;
  };
  after: {
    timeOfDay: number;
  };
}

/** It continues; GET /operations/{id} shows each step, and how it ends */
export interface UnderWay {
  success: true;
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
}

/** A file that is left unchanged */
export interface UnreadFile {
  path: string;
  /** Which version wrote it */
  reason: string;
  /** What to do */
  remedy: string;
}

/** Settings that are not in effect yet, and what they wait for */
export interface WaitingSettings {
  /** Different from the settings that the farm was created with, as far as this service knows; an existing farm keeps those */
  newGame: string[];
  /** Not in effect in the running game, as far as it has reported */
  restart: string[];
}

export interface Webhook {
  id: string;
  name: string;
  template: 'standard' | 'discord' | 'slack' | 'ntfy';
  topics: ('chat' | 'players' | 'farm' | 'farmhands' | 'invites' | 'game' | 'operations' | 'backups' | 'schedules' | 'sidecar' | 'server' | 'webhooks' | 'state')[];
  /** Whether its messages have platform and network identities */
  identities: boolean;
  /** Of its URL */
  host: string;
  /** The last four characters of its URL */
  urlEndsWith: string;
  /** ISO 8601 UTC with milliseconds */
  createdAt: string;
  /** off: it gets nothing until it is resumed */
  state: 'active' | 'off';
  /** Since when it is in this state */
  since: string;
}

export interface WebhookDeleted {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  webhook: Webhook;
}

export interface WebhookMade {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  webhook: Webhook;
  /** The key that signs its messages: shown only in this answer */
  secret?: string;
  /** Instead of the secret, if the first answer to this request had it */
  secretShown?: true;
}

export interface WebhookResumed {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  webhook: Webhook;
}

export interface WebhookStanding {
  id: string;
  name: string;
  template: 'standard' | 'discord' | 'slack' | 'ntfy';
  topics: ('chat' | 'players' | 'farm' | 'farmhands' | 'invites' | 'game' | 'operations' | 'backups' | 'schedules' | 'sidecar' | 'server' | 'webhooks' | 'state')[];
  /** Whether its messages have platform and network identities */
  identities: boolean;
  /** Of its URL */
  host: string;
  /** The last four characters of its URL */
  urlEndsWith: string;
  /** ISO 8601 UTC with milliseconds */
  createdAt: string;
  /** off: it gets nothing until it is resumed */
  state: 'active' | 'off';
  /** Since when it is in this state */
  since: string;
  /** Absent if nothing was delivered yet */
  lastDeliveryAt?: string;
  /** Since when all attempts have failed; absent if the last one succeeded */
  failingSince?: string;
  /** Why it fails, or is off */
  reason?: string;
  /** When it is retried, if it waits for that */
  nextTryAt?: string;
  /** Events that it has not received yet; 1,000 means that many or more */
  lag: number;
}

export interface WebhookTest {
  delivered: boolean;
  /** The status of the answer; absent if there was none */
  status?: number;
  /** Why it was not delivered */
  reason?: string;
}

export interface WebhookTested {
  success: true;
  /** What was done, as text */
  message: string;
  /** For GET /operations/{id}; a text that you send back unchanged */
  operationId: string;
  webhook: Webhook;
  test: WebhookTest;
}

export interface Webhooks {
  webhooks: WebhookStanding[];
}

/** What `setRendering` takes. */
export interface SetRenderingParameters {
  /** Frames a second; 0 switches rendering off */
  fps: number;
}

/** What `startDrain` takes. */
export interface StartDrainParameters {
  /** What it waits for */
  when: 'now' | 'empty' | 'day-end';
  /** Whether the game is started again at once; otherwise it stays stopped until DELETE /drain or the next start of the service */
  restart?: boolean | undefined;
  /** The longest wait; 240 for empty and 30 for day-end by default */
  minutes?: number | undefined;
  /** The length of the countdown; 60 by default */
  seconds?: number | undefined;
  /** The reason, shown to the players */
  message?: string | undefined;
}

/** What `createFarm` takes. */
export interface CreateFarmParameters {
  /** The farm's name */
  farmName?: string | undefined;
  /** A built-in type's index, or a mod farm's id */
  farmType?: number | string | undefined;
  /** The price of goods, as a part of the normal price */
  profitMargin?: number | undefined;
  /** How many cabins there are from the first day on */
  startingCabins?: number | undefined;
  /** Whether monsters appear at night; auto: depends on the type of the farm */
  spawnMonstersAtNight?: 'true' | 'false' | 'auto' | undefined;
  /** Whether the community center's bundles are remixed */
  remixBundles?: boolean | undefined;
  /** Whether the rewards in the mines are remixed */
  remixMines?: boolean | undefined;
  /** Whether it is guaranteed that the community center can be completed in the first year */
  communityCenterYear1?: boolean | undefined;
  /** Whether the first cabins are close together */
  cabinLayoutNearby?: boolean | undefined;
  /** Whether to use the random numbers of older versions of the game */
  useLegacyRandom?: boolean | undefined;
  /** The seed of the farm's random numbers; random by default */
  randomSeed?: bigint | string | undefined;
  /** The pet: 0 to 4 are cats, 5 to 9 dogs, anything else is none */
  petBreed?: number | undefined;
  /** The pet's name */
  petName?: string | undefined;
  /** Whether the cave grows mushrooms; otherwise it has fruit bats */
  mushroomCave?: boolean | undefined;
  /** Whether the community center becomes the company's warehouse */
  buyJoja?: boolean | undefined;
  /** What it waits for, as in POST /drain; now by default */
  when?: 'now' | 'empty' | 'day-end' | undefined;
  /** The longest wait; 240 for empty and 30 for day-end by default */
  minutes?: number | undefined;
  /** The length of the countdown if somebody is online; 60 by default */
  seconds?: number | undefined;
  /** The reason, shown to the players */
  message?: string | undefined;
  /** Continue even if the current farm cannot be backed up first */
  force?: boolean | undefined;
}

/** What `loadFarm` takes. */
export interface LoadFarmParameters {
  /** Which one */
  id: string;
  /** What it waits for, as in POST /drain; now by default */
  when?: 'now' | 'empty' | 'day-end' | undefined;
  /** The longest wait; 240 for empty and 30 for day-end by default */
  minutes?: number | undefined;
  /** The length of the countdown if somebody is online; 60 by default */
  seconds?: number | undefined;
  /** The reason, shown to the players */
  message?: string | undefined;
  /** Continue even if the current farm cannot be backed up first */
  force?: boolean | undefined;
}

/** What `getSamples` takes. */
export interface GetSamplesParameters {
  /** Where it begins; 24 hours before its end by default. A step that has begun is included completely */
  from?: Date | string | undefined;
  /** Where it ends; now by default */
  to?: Date | string | undefined;
  /** The length of a step; days are UTC days. The default is the finest that gives at most 1500 points; more than 12000 are refused */
  step?: 'minute' | 'hour' | 'day' | undefined;
}

/** What `getAudit` takes. */
export interface GetAuditParameters {
  /** Only lines after this number, or since this time; the oldest first */
  after?: number | string | undefined;
  /** Only lines before this number, or before this time */
  before?: number | string | undefined;
  /** Only this actor: the name of a key, `owner` for API_KEY, `open` on a server without a key */
  actor?: string | undefined;
  /** Only this action: an operationId of this document, or `authenticate` for wrong keys */
  action?: string | undefined;
  /** Only this outcome */
  outcome?: 'applied' | 'refused' | 'void' | 'unknown' | 'failed' | 'denied' | undefined;
  /** The maximum number; 100 by default */
  limit?: number | undefined;
}

/** What `grantAdmin` takes. */
export type GrantAdminParameters =
  | {
      /** The name, in any case; it may appear a moment after the join. Exactly one of name and playerId must be given. */
      name: string;
      playerId?: undefined;
    }
  | {
      name?: undefined;
      /** The stable id, better for automation. Exactly one of name and playerId must be given. */
      playerId: bigint | string;
    };

/** What `announce` takes. */
export interface AnnounceParameters {
  /** The text, without control characters; beyond 450 characters it is cut and ends in `…` */
  message: string;
}

/** What `kickPlayer` takes. */
export type KickPlayerParameters =
  | {
      /** The name, in any case; it may appear a moment after the join. Exactly one of name and playerId must be given. */
      name: string;
      playerId?: undefined;
      /** The reason, shown to the player; long texts are cut */
      reason?: string | undefined;
    }
  | {
      name?: undefined;
      /** The stable id, better for automation. Exactly one of name and playerId must be given. */
      playerId: bigint | string;
      /** The reason, shown to the player; long texts are cut */
      reason?: string | undefined;
    };

/** What `addBan` takes. */
export type AddBanParameters =
  | {
      /** The name of a farmhand, in any case. Exactly one of name, playerId, identity and address must be given. */
      name: string;
      playerId?: undefined;
      identity?: undefined;
      address?: undefined;
      /** The reason, shown to the player; long texts are cut */
      reason?: string | undefined;
      /** When it ends: after this many days or hours, at the start of a day in UTC, or at a time; never by default */
      until?: string | undefined;
      /** Ban even if it may affect others: a private address, one that another online player shares, or a wide network. Behind Docker’s proxy, everybody has the address of its gateway */
      force?: boolean | undefined;
    }
  | {
      name?: undefined;
      /** The stable id of a farmhand. Exactly one of name, playerId, identity and address must be given. */
      playerId: bigint | string;
      identity?: undefined;
      address?: undefined;
      /** The reason, shown to the player; long texts are cut */
      reason?: string | undefined;
      /** When it ends: after this many days or hours, at the start of a day in UTC, or at a time; never by default */
      until?: string | undefined;
      /** Ban even if it may affect others: a private address, one that another online player shares, or a wide network. Behind Docker’s proxy, everybody has the address of its gateway */
      force?: boolean | undefined;
    }
  | {
      name?: undefined;
      playerId?: undefined;
      /** Players with this id on the platform or the network: the digits on the line `Client connected via …` in the log. Whether it is a platform id or a network id, its range tells. Exactly one of name, playerId, identity and address must be given. */
      identity: bigint | string;
      address?: undefined;
      /** The reason, shown to the player; long texts are cut */
      reason?: string | undefined;
      /** When it ends: after this many days or hours, at the start of a day in UTC, or at a time; never by default */
      until?: string | undefined;
      /** Ban even if it may affect others: a private address, one that another online player shares, or a wide network. Behind Docker’s proxy, everybody has the address of its gateway */
      force?: boolean | undefined;
    }
  | {
      name?: undefined;
      playerId?: undefined;
      identity?: undefined;
      /** Players who connect from this address or network by direct IP. Exactly one of name, playerId, identity and address must be given. */
      address: string;
      /** The reason, shown to the player; long texts are cut */
      reason?: string | undefined;
      /** When it ends: after this many days or hours, at the start of a day in UTC, or at a time; never by default */
      until?: string | undefined;
      /** Ban even if it may affect others: a private address, one that another online player shares, or a wide network. Behind Docker’s proxy, everybody has the address of its gateway */
      force?: boolean | undefined;
    };

/** What `removeBan` takes. */
export type RemoveBanParameters =
  | {
      /** The id of the row. Exactly one of id, name, playerId, identity and address must be given. */
      id: string;
      name?: undefined;
      playerId?: undefined;
      identity?: undefined;
      address?: undefined;
    }
  | {
      id?: undefined;
      /** The name of a farmhand, in any case. Exactly one of name, playerId, identity and address must be given. */
      name: string;
      playerId?: undefined;
      identity?: undefined;
      address?: undefined;
    }
  | {
      id?: undefined;
      name?: undefined;
      /** The stable id of a farmhand. Exactly one of name, playerId, identity and address must be given. */
      playerId: bigint | string;
      identity?: undefined;
      address?: undefined;
    }
  | {
      id?: undefined;
      name?: undefined;
      playerId?: undefined;
      /** Players with this id on the platform or the network: the digits on the line `Client connected via …` in the log. Whether it is a platform id or a network id, its range tells. Exactly one of name, playerId, identity and address must be given. */
      identity: bigint | string;
      address?: undefined;
    }
  | {
      id?: undefined;
      name?: undefined;
      playerId?: undefined;
      identity?: undefined;
      /** Players who connect from this address or network by direct IP. Exactly one of name, playerId, identity and address must be given. */
      address: string;
    };

/** What `importBans` takes. */
export interface ImportBansParameters {
  /** The rows; at most 10000 characters a request */
  rows: string;
  /** The list; bans by default */
  list?: 'bans' | 'allowlist' | undefined;
  /** Ban even if it may affect others: a private address, one that another online player shares, or a wide network. Behind Docker’s proxy, everybody has the address of its gateway */
  force?: boolean | undefined;
  /** Only say what would happen */
  dryRun?: boolean | undefined;
}

/** What `allowPlayer` takes. */
export type AllowPlayerParameters =
  | {
      /** The name of a farmhand, in any case. Exactly one of name, playerId, identity and address must be given. */
      name: string;
      playerId?: undefined;
      identity?: undefined;
      address?: undefined;
      /** When it ends: after this many days or hours, at the start of a day in UTC, or at a time; never by default */
      until?: string | undefined;
      /** Ban even if it may affect others: a private address, one that another online player shares, or a wide network. Behind Docker’s proxy, everybody has the address of its gateway */
      force?: boolean | undefined;
    }
  | {
      name?: undefined;
      /** The stable id of a farmhand. Exactly one of name, playerId, identity and address must be given. */
      playerId: bigint | string;
      identity?: undefined;
      address?: undefined;
      /** When it ends: after this many days or hours, at the start of a day in UTC, or at a time; never by default */
      until?: string | undefined;
      /** Ban even if it may affect others: a private address, one that another online player shares, or a wide network. Behind Docker’s proxy, everybody has the address of its gateway */
      force?: boolean | undefined;
    }
  | {
      name?: undefined;
      playerId?: undefined;
      /** Players with this id on the platform or the network: the digits on the line `Client connected via …` in the log. Whether it is a platform id or a network id, its range tells. Exactly one of name, playerId, identity and address must be given. */
      identity: bigint | string;
      address?: undefined;
      /** When it ends: after this many days or hours, at the start of a day in UTC, or at a time; never by default */
      until?: string | undefined;
      /** Ban even if it may affect others: a private address, one that another online player shares, or a wide network. Behind Docker’s proxy, everybody has the address of its gateway */
      force?: boolean | undefined;
    }
  | {
      name?: undefined;
      playerId?: undefined;
      identity?: undefined;
      /** Players who connect from this address or network by direct IP. Exactly one of name, playerId, identity and address must be given. */
      address: string;
      /** When it ends: after this many days or hours, at the start of a day in UTC, or at a time; never by default */
      until?: string | undefined;
      /** Ban even if it may affect others: a private address, one that another online player shares, or a wide network. Behind Docker’s proxy, everybody has the address of its gateway */
      force?: boolean | undefined;
    };

/** What `disallowPlayer` takes. */
export type DisallowPlayerParameters =
  | {
      /** The id of the row. Exactly one of id, name, playerId, identity and address must be given. */
      id: string;
      name?: undefined;
      playerId?: undefined;
      identity?: undefined;
      address?: undefined;
    }
  | {
      id?: undefined;
      /** The name of a farmhand, in any case. Exactly one of name, playerId, identity and address must be given. */
      name: string;
      playerId?: undefined;
      identity?: undefined;
      address?: undefined;
    }
  | {
      id?: undefined;
      name?: undefined;
      /** The stable id of a farmhand. Exactly one of name, playerId, identity and address must be given. */
      playerId: bigint | string;
      identity?: undefined;
      address?: undefined;
    }
  | {
      id?: undefined;
      name?: undefined;
      playerId?: undefined;
      /** Players with this id on the platform or the network: the digits on the line `Client connected via …` in the log. Whether it is a platform id or a network id, its range tells. Exactly one of name, playerId, identity and address must be given. */
      identity: bigint | string;
      address?: undefined;
    }
  | {
      id?: undefined;
      name?: undefined;
      playerId?: undefined;
      identity?: undefined;
      /** Players who connect from this address or network by direct IP. Exactly one of name, playerId, identity and address must be given. */
      address: string;
    };

/** What `deleteFarmhand` takes. */
export type DeleteFarmhandParameters =
  | {
      /** The name, in any case; it may appear a moment after the join. Exactly one of name and playerId must be given. */
      name: string;
      playerId?: undefined;
      /** Only say what would be deleted */
      dryRun?: boolean | undefined;
    }
  | {
      name?: undefined;
      /** The stable id, better for automation. Exactly one of name and playerId must be given. */
      playerId: bigint | string;
      /** Only say what would be deleted */
      dryRun?: boolean | undefined;
    };

/** What `rebindFarmhand` takes. */
export type RebindFarmhandParameters =
  | {
      /** The name, in any case; it may appear a moment after the join. Exactly one of name and playerId must be given. */
      name: string;
      playerId?: undefined;
      /** The id of the new owner: the digits on the line `Client connected via …` in the log. Whether it is a platform id or a network id, its range tells */
      identity: bigint | string;
    }
  | {
      name?: undefined;
      /** The stable id, better for automation. Exactly one of name and playerId must be given. */
      playerId: bigint | string;
      /** The id of the new owner: the digits on the line `Client connected via …` in the log. Whether it is a platform id or a network id, its range tells */
      identity: bigint | string;
    };

/** What `releaseFarmhand` takes. */
export type ReleaseFarmhandParameters =
  | {
      /** The name, in any case; it may appear a moment after the join. Exactly one of name and playerId must be given. */
      name: string;
      playerId?: undefined;
    }
  | {
      name?: undefined;
      /** The stable id, better for automation. Exactly one of name and playerId must be given. */
      playerId: bigint | string;
    };

/** What `changeSettings` takes. */
export interface ChangeSettingsParameters {
  /** How many players may be online */
  maxPlayers?: number | undefined;
  /** Where cabins are placed */
  cabinStrategy?: 'CabinStack' | 'FarmhouseStack' | 'None' | undefined;
  /** Whether each player has their own money */
  separateWallets?: boolean | undefined;
  /** What happens to existing cabins */
  existingCabinBehavior?: 'KeepExisting' | 'MoveToStack' | undefined;
  /** Whether the game logs more */
  verboseLogging?: boolean | undefined;
  /** Whether players may join by direct IP. Needs the scope `admin` */
  allowIpConnections?: boolean | undefined;
  /** Whether a farmhand belongs to the player who first took it. Needs the scope `admin` */
  enforceFarmhandOwnership?: boolean | undefined;
  /** Whether players who log in wait together or separately */
  lobbyMode?: 'Shared' | 'Individual' | undefined;
  /** The layout of that waiting room */
  activeLobbyLayout?: string | undefined;
  /** Accounts that become admin when they join, on either network. Ids separated by commas; `none`, or nothing, empties the list.. Needs the scope `admin` */
  adminPlatformIds?: string | undefined;
  /** Ticks between two broadcasts of positions */
  networkBroadcastPeriod?: number | undefined;
}

/** What `setTime` takes. */
export interface SetTimeParameters {
  /** 600 is 6 AM, 1200 noon, 1800 6 PM, 2600 2 AM of the next day */
  value: number;
}

/** What `listOperations` takes. */
export interface ListOperationsParameters {
  /** The maximum number; 100 by default */
  limit?: number | undefined;
  /** Only operations older than this operationId */
  before?: bigint | string | undefined;
}

/** What `getOperation` takes. */
export interface GetOperationParameters {
  /** The operationId of an earlier answer */
  id: bigint | string;
}

/** What `sendChat` takes. */
export interface SendChatParameters {
  /** Shown before the message; cut to 32 characters, and Anonymous when empty */
  author?: string | undefined;
  /** The message, without control characters; beyond 450 characters it is cut and ends in `…` */
  message: string;
}

/** What `createBackup` takes. */
export interface CreateBackupParameters {
  /** Wait for the next save, and copy that; by default the last save is copied */
  fresh?: boolean | undefined;
  /** Its name in lists */
  note?: string | undefined;
  /** The rule of BACKUP_KEEP never deletes it */
  keep?: boolean | undefined;
  /** Include keys, webhooks and the audit, to move to another machine; protect it like API_KEY. Needs the scope `admin` */
  all?: boolean | undefined;
}

/** What `deleteBackup` takes. */
export interface DeleteBackupParameters {
  /** Which one */
  id: string;
}

/** What `restoreBackup` takes. */
export interface RestoreBackupParameters {
  /** Which one */
  id: string;
  /** What to restore; saves and owners by default */
  what?: string | undefined;
}

/** What `getBackupFile` takes. */
export interface GetBackupFileParameters {
  /** Which one */
  id: string;
}

/** What `createSchedule` takes. */
export type CreateScheduleParameters =
  | {
      /** Its name in lists, logs and the audit; no other schedule may have it */
      name: string;
      /** What is done */
      action: 'save' | 'announce' | 'rendering' | 'backup' | 'drain' | 'update';
      /** When, as a cron expression. Exactly one of cron and emptyMinutes must be given. */
      cron: string;
      emptyMinutes?: undefined;
      /** The time zone of `cron`; UTC by default */
      timeZone?: string | undefined;
      /** What happens to runs by `cron` that were due while this service was off or the machine asleep. skip (the default): they are left out; once: it runs once, late */
      missed?: 'skip' | 'once' | undefined;
      /** Of the action rendering: Frames a second; 0 switches rendering off */
      fps?: number | undefined;
      /** Of the action backup: Wait for the next save, and copy that; by default the last save is copied */
      fresh?: boolean | undefined;
      /** Of the action backup: Its name in lists */
      note?: string | undefined;
      /** Of the action backup: The rule of BACKUP_KEEP never deletes it */
      keep?: boolean | undefined;
      /** Of the action backup: Include keys, webhooks and the audit, to move to another machine; protect it like API_KEY. Needs the scope `admin` */
      all?: boolean | undefined;
      /** Of the actions drain and update: What it waits for; day-end by default */
      when?: 'now' | 'empty' | 'day-end' | undefined;
      /** Of the action drain: Whether the game is started again at once; otherwise it stays stopped until DELETE /drain or the next start of the service */
      restart?: boolean | undefined;
      /** Of the actions drain and update: The longest wait; 240 for empty and 30 for day-end by default */
      minutes?: number | undefined;
      /** Of the actions drain and update: The length of the countdown; 60 by default */
      seconds?: number | undefined;
      /** Of the action announce: The text, without control characters; beyond 450 characters it is cut and ends in `…`. Of the actions drain and update: The reason, shown to the players */
      message?: string | undefined;
    }
  | {
      /** Its name in lists, logs and the audit; no other schedule may have it */
      name: string;
      /** What is done */
      action: 'save' | 'announce' | 'rendering' | 'backup' | 'drain' | 'update';
      cron?: undefined;
      /** Once whenever nobody has been online for this many minutes. Exactly one of cron and emptyMinutes must be given. */
      emptyMinutes: number;
      /** The time zone of `cron`; UTC by default */
      timeZone?: string | undefined;
      /** What happens to runs by `cron` that were due while this service was off or the machine asleep. skip (the default): they are left out; once: it runs once, late */
      missed?: 'skip' | 'once' | undefined;
      /** Of the action rendering: Frames a second; 0 switches rendering off */
      fps?: number | undefined;
      /** Of the action backup: Wait for the next save, and copy that; by default the last save is copied */
      fresh?: boolean | undefined;
      /** Of the action backup: Its name in lists */
      note?: string | undefined;
      /** Of the action backup: The rule of BACKUP_KEEP never deletes it */
      keep?: boolean | undefined;
      /** Of the action backup: Include keys, webhooks and the audit, to move to another machine; protect it like API_KEY. Needs the scope `admin` */
      all?: boolean | undefined;
      /** Of the actions drain and update: What it waits for; day-end by default */
      when?: 'now' | 'empty' | 'day-end' | undefined;
      /** Of the action drain: Whether the game is started again at once; otherwise it stays stopped until DELETE /drain or the next start of the service */
      restart?: boolean | undefined;
      /** Of the actions drain and update: The longest wait; 240 for empty and 30 for day-end by default */
      minutes?: number | undefined;
      /** Of the actions drain and update: The length of the countdown; 60 by default */
      seconds?: number | undefined;
      /** Of the action announce: The text, without control characters; beyond 450 characters it is cut and ends in `…`. Of the actions drain and update: The reason, shown to the players */
      message?: string | undefined;
    };

/** What `deleteSchedule` takes. */
export type DeleteScheduleParameters =
  | {
      /** The id of the schedule. Exactly one of id and name must be given. */
      id: string;
      name?: undefined;
    }
  | {
      id?: undefined;
      /** Its name, in any case. Exactly one of id and name must be given. */
      name: string;
    };

/** What `runSchedule` takes. */
export type RunScheduleParameters =
  | {
      /** The id of the schedule. Exactly one of id and name must be given. */
      id: string;
      name?: undefined;
    }
  | {
      id?: undefined;
      /** Its name, in any case. Exactly one of id and name must be given. */
      name: string;
    };

/** What `getEvents` takes. */
export interface GetEventsParameters {
  /** Only events after this cursor, or since this time; the oldest first */
  after?: string | undefined;
  /** Only events before this cursor, or before this time */
  before?: string | undefined;
  /** Only events of these topics; by default all that the key may read */
  topics?: string | undefined;
  /** The maximum number; 100 by default */
  limit?: number | undefined;
  /** If there are no events yet: answer as soon as there is one, or after this many seconds. Not together with `before` */
  wait?: number | undefined;
}

/** What `listKeys` takes. */
export interface ListKeysParameters {
  /** Whether to list revoked and expired keys, too */
  ended?: boolean | undefined;
}

/** What `createKey` takes. */
export interface CreateKeyParameters {
  /** Its name in the audit; no other active key may have it */
  name: string;
  /** What it may do, separated by commas; no scope includes another, except admin, which includes all */
  scopes: string;
  /** When it ends: after this many days or hours, at the start of a day in UTC, or at a time; never by default */
  expires?: string | undefined;
}

/** What `revokeKey` takes. */
export type RevokeKeyParameters =
  | {
      /** The id of the key. Exactly one of id and name must be given. */
      id: string;
      name?: undefined;
    }
  | {
      id?: undefined;
      /** Its name, in any case. Exactly one of id and name must be given. */
      name: string;
    };

/** What `rotateKey` takes. */
export type RotateKeyParameters =
  | {
      /** The id of the key. Exactly one of id and name must be given. */
      id: string;
      name?: undefined;
      /** How long the previous secret still works; 3600 by default */
      graceSeconds?: number | undefined;
    }
  | {
      id?: undefined;
      /** Its name, in any case. Exactly one of id and name must be given. */
      name: string;
      /** How long the previous secret still works; 3600 by default */
      graceSeconds?: number | undefined;
    };

/** What `createWebhook` takes. */
export interface CreateWebhookParameters {
  /** The target; a secret. Private addresses only if WEBHOOK_ALLOW lists them; redirects are not followed */
  url: string;
  /** Its name in lists, logs and metrics; no other webhook may have it */
  name: string;
  /** Which topics it gets, separated by commas */
  topics: string;
  /** The format of its messages; standard by default */
  template?: 'standard' | 'discord' | 'slack' | 'ntfy' | undefined;
  /** Whether messages have platform and network identities, and addresses; false by default */
  identities?: boolean | undefined;
}

/** What `deleteWebhook` takes. */
export type DeleteWebhookParameters =
  | {
      /** The id of the webhook. Exactly one of id and name must be given. */
      id: string;
      name?: undefined;
    }
  | {
      id?: undefined;
      /** Its name, in any case. Exactly one of id and name must be given. */
      name: string;
    };

/** What `resumeWebhook` takes. */
export type ResumeWebhookParameters =
  | {
      /** The id of the webhook. Exactly one of id and name must be given. */
      id: string;
      name?: undefined;
    }
  | {
      id?: undefined;
      /** Its name, in any case. Exactly one of id and name must be given. */
      name: string;
    };

/** What `testWebhook` takes. */
export type TestWebhookParameters =
  | {
      /** The id of the webhook. Exactly one of id and name must be given. */
      id: string;
      name?: undefined;
    }
  | {
      id?: undefined;
      /** Its name, in any case. Exactly one of id and name must be given. */
      name: string;
    };

/** What `listDeliveries` takes. */
export interface ListDeliveriesParameters {
  /** Only for this webhook */
  id?: string | undefined;
  /** Only this outcome */
  outcome?: 'delivered' | 'givenUp' | undefined;
  /** Only deliveries before this number */
  before?: number | undefined;
  /** The maximum number; 100 by default */
  limit?: number | undefined;
}

/** Every operation of the API, by the name that its document gives it. */
export interface FarmOperations {
  /**
   * Whether the server is alive
   *
   * Liveness: 200 whenever the process can answer, whatever the game does. Needs no key.
   *
   * `GET /health`
   */
  getHealth(parameters?: Record<string, never>, options?: CallOptions): Promise<Health>;

  /**
   * Whether players can join, and if not, why
   *
   * Needs the scope `read`.
   *
   * `GET /health/ready`
   */
  getReadiness(parameters?: Record<string, never>, options?: CallOptions): Promise<Readiness>;

  /**
   * The server and its farm
   *
   * Always 200, also while there is no game: then `isOnline` is false. Needs the scope `read`.
   *
   * `GET /status`
   */
  getStatus(parameters?: Record<string, never>, options?: CallOptions): Promise<Status>;

  /**
   * Performance of the game's process
   *
   * Needs the scope `read`.
   *
   * `GET /stats`
   */
  getStats(parameters?: Record<string, never>, options?: CallOptions): Promise<Stats>;

  /**
   * The server's render rate
   *
   * Needs the scope `read`.
   *
   * `GET /rendering`
   */
  getRendering(parameters?: Record<string, never>, options?: CallOptions): Promise<Rendering>;

  /**
   * Set the render rate, or switch rendering off
   *
   * Needs the scope `operate`.
   *
   * `POST /rendering`
   *
   * Errors of its own: `command-failed`
   */
  setRendering(parameters: SetRenderingParameters, options?: WriteOptions): Promise<RenderingChanged>;

  /**
   * Save the farm now
   *
   * The day continues. While somebody plays the game cannot save: then you get 409, and the game saves at the end of the day. Needs the scope `operate`.
   *
   * `POST /save`
   *
   * Errors of its own: `command-failed`, `players-online`
   */
  saveGame(parameters?: Record<string, never>, options?: WriteOptions): Promise<GameSaved>;

  /**
   * The latest output of the game that this service started
   *
   * Up to 500 lines, the newest last, exactly as the game and its mods wrote them: they may be wrong, and may reveal who players are and where they connect from. Control characters are removed. Needs the scope `moderate`.
   *
   * `GET /game/log`
   *
   * Errors of its own: `not-supported-by-game`
   */
  getGameLog(parameters?: Record<string, never>, options?: CallOptions): Promise<GameLog>;

  /**
   * A screenshot of the game
   *
   * The same picture is served for a few seconds. Needs the scope `read`.
   *
   * `GET /screenshot`
   *
   * Errors of its own: `command-failed`, `game-unavailable`, `not-supported-by-game`
   */
  getScreenshot(parameters?: Record<string, never>, options?: CallOptions): Promise<Bytes>;

  /**
   * Measurements for Prometheus
   *
   * Needs the scope `read`.
   *
   * `GET /metrics`
   */
  getMetrics(parameters?: Record<string, never>, options?: CallOptions): Promise<string>;

  /**
   * Whether a drain is running, and what would be lost if the game stopped now
   *
   * Needs the scope `read`.
   *
   * `GET /drain`
   */
  getDrain(parameters?: Record<string, never>, options?: CallOptions): Promise<Drain>;

  /**
   * Warn and disconnect players, save, and stop or restart the game
   *
   * From now on nobody new can join, and the players are warned. `when=now` counts down; `empty` waits until nobody is online; `day-end` until the day has ended and is saved: both wait for `minutes` at most, and then count down. At the end the remaining players are disconnected, and the game saves and stops. The answer is 202: GET /operations/{id} shows how it ends. Needs the scope `operate`.
   *
   * `POST /drain`
   *
   * Errors of its own: `drain-under-way`, `game-running`
   */
  startDrain(parameters: StartDrainParameters, options?: WriteOptions): Promise<UnderWay>;

  /**
   * Cancel a drain, or start the game that it has stopped
   *
   * Needs the scope `operate`.
   *
   * `DELETE /drain`
   *
   * Errors of its own: `drain-not-found`
   */
  cancelDrain(parameters?: Record<string, never>, options?: WriteOptions): Promise<DrainEnded>;

  /**
   * The game’s saves, and the one that is loaded
   *
   * Needs the scope `read`.
   *
   * `GET /farms`
   *
   * Errors of its own: `command-failed`, `game-unavailable`, `not-supported-by-game`
   */
  listFarms(parameters?: Record<string, never>, options?: CallOptions): Promise<Farms>;

  /**
   * Create a farm, and load it
   *
   * Everything else comes from the game section of the settings file. Players are warned and disconnected as by POST /drain, the current farm is saved and backed up, and only then the game loads the other one. The answer is 202: GET /operations/{id} shows each step, and names the loaded farm. The old farm stays in GET /farms. Needs the scope `admin`.
   *
   * `POST /farms`
   *
   * Errors of its own: `backup-failed`, `backup-under-way`, `backups-off`, `command-failed`, `drain-under-way`, `no-room`, `no-save`, `players-online`
   */
  createFarm(parameters?: CreateFarmParameters, options?: WriteOptions): Promise<UnderWay>;

  /**
   * Load another farm
   *
   * Players are warned and disconnected as by POST /drain, the current farm is saved and backed up, and only then the game loads the other one. The answer is 202: GET /operations/{id} shows each step, and names the loaded farm. Needs the scope `admin`.
   *
   * `POST /farms/load`
   *
   * Errors of its own: `backup-failed`, `backup-under-way`, `backups-off`, `command-failed`, `drain-under-way`, `farm-not-found`, `no-room`, `no-save`, `players-online`
   */
  loadFarm(parameters: LoadFarmParameters, options?: WriteOptions): Promise<UnderWay>;

  /**
   * Players, tick rate and memory over time
   *
   * The server stores a sample every minute for `SAMPLES_KEEP_DAYS`. The answer has a list for each value, ready for plots: the first entry is for the step that begins at `from`, the next for the step after that. Null means that nothing is known for that time. Needs the scope `read`.
   *
   * `GET /samples`
   *
   * Errors of its own: `invalid-parameter`
   */
  getSamples(parameters?: GetSamplesParameters, options?: CallOptions): Promise<Samples>;

  /**
   * Who did what, and which requests were denied
   *
   * A line for each write, by request or on /ws, stored before it is answered. The newest first; with `after` the oldest first, so that the last number of a page is the `after` of the next. A line never changes: if an outcome becomes known later, there is a second one. Chat messages are never stored here. Kept for `AUDIT_KEEP_DAYS`. Needs the scope `admin`.
   *
   * `GET /audit`
   *
   * Errors of its own: `invalid-parameter`
   */
  getAudit(parameters?: GetAuditParameters, options?: CallOptions): Promise<Audit>;

  /**
   * Who is connected
   *
   * Needs the scope `read`.
   *
   * `GET /players`
   */
  listPlayers(parameters?: Record<string, never>, options?: CallOptions): Promise<Players>;

  /**
   * The code that players join with
   *
   * Always 200: without a code, `error` says why there is none. Needs the scope `read`.
   *
   * `GET /invite-code`
   */
  getInviteCode(parameters?: Record<string, never>, options?: CallOptions): Promise<InviteCode>;

  /**
   * Grant a player the admin role
   *
   * To anyone who has a farmhand, online or offline. Granting it again changes nothing. Needs the scope `admin`.
   *
   * `POST /roles/admin`
   *
   * Errors of its own: `ambiguous-name`, `command-failed`, `player-not-found`
   */
  grantAdmin(parameters: GrantAdminParameters, options?: WriteOptions): Promise<AdminGranted>;

  /**
   * Show a message from the server to everybody in the game
   *
   * Marked as coming from the server, so that nobody takes it for a player’s; never run as a command. Needs the scope `operate`.
   *
   * `POST /announcements`
   *
   * Errors of its own: `command-failed`
   */
  announce(parameters: AnnounceParameters, options?: WriteOptions): Promise<Announced>;

  /**
   * Kick a player, who may come back
   *
   * To keep a player out, ban them instead. Needs the scope `moderate`.
   *
   * `POST /players/kick`
   *
   * Errors of its own: `ambiguous-name`, `command-failed`, `player-not-found`, `player-offline`
   */
  kickPlayer(parameters: KickPlayerParameters, options?: WriteOptions): Promise<PlayerKicked>;

  /**
   * Who is banned, why and until when
   *
   * In the order in which they were banned, without bans that are over. Needs the scope `moderate`.
   *
   * `GET /bans`
   *
   * Errors of its own: `bans-unreadable`
   */
  listBans(parameters?: Record<string, never>, options?: CallOptions): Promise<Bans>;

  /**
   * Ban somebody
   *
   * Ban a player (with every known identity of that farmhand, and from the farmhand itself), an identity (on its own platform or network), or an address or a network (by direct IP). Online players are kicked. If you ban somebody again, the last reason and end apply. Needs the scope `moderate`.
   *
   * `POST /bans`
   *
   * Errors of its own: `ambiguous-name`, `ban-needs-force`, `bans-unreadable`, `farmhand-not-found`, `too-many-bans`
   */
  addBan(parameters: AddBanParameters, options?: WriteOptions): Promise<PlayerBanned>;

  /**
   * Lift a ban
   *
   * Needs the scope `moderate`.
   *
   * `DELETE /bans`
   *
   * Errors of its own: `ambiguous-name`, `ban-not-found`, `bans-unreadable`
   */
  removeBan(parameters: RemoveBanParameters, options?: WriteOptions): Promise<BanLifted>;

  /**
   * Import rows into one of the two lists
   *
   * For `control-api bans import`, which sends a file in parts. Rows as in GET /bans and GET /allowlist; entries that are already on the list do not change. Rows that cannot be read are reported and left out. With dryRun nothing is changed. Needs the scope `moderate`.
   *
   * `POST /bans/import`
   *
   * Errors of its own: `bans-unreadable`, `too-many-bans`
   */
  importBans(parameters: ImportBansParameters, options?: WriteOptions): Promise<BansImported>;

  /**
   * The allowlist
   *
   * Needs the scope `moderate`.
   *
   * `GET /allowlist`
   *
   * Errors of its own: `bans-unreadable`
   */
  listAllowed(parameters?: Record<string, never>, options?: CallOptions): Promise<Allowlist>;

  /**
   * Add somebody to the allowlist; from the first entry on, nobody else can join
   *
   * Players who are online stay. A player can use every known connection of that farmhand; banned players stay out. Needs the scope `moderate`.
   *
   * `POST /allowlist`
   *
   * Errors of its own: `ambiguous-name`, `ban-needs-force`, `bans-unreadable`, `farmhand-not-found`, `too-many-bans`
   */
  allowPlayer(parameters: AllowPlayerParameters, options?: WriteOptions): Promise<PlayerAllowed>;

  /**
   * Remove somebody from the allowlist; when it is empty, everybody can join again
   *
   * Needs the scope `moderate`.
   *
   * `DELETE /allowlist`
   *
   * Errors of its own: `ambiguous-name`, `ban-not-found`, `bans-unreadable`
   */
  disallowPlayer(parameters: DisallowPlayerParameters, options?: WriteOptions): Promise<PlayerDisallowed>;

  /**
   * Every farmhand slot, taken or free
   *
   * Needs the scope `moderate`.
   *
   * `GET /farmhands`
   */
  listFarmhands(parameters?: Record<string, never>, options?: CallOptions): Promise<Farmhands>;

  /**
   * Delete a farmhand that is offline
   *
   * This also deletes its cabin, everything in it, and its owner. With dryRun nothing is changed. Needs the scope `moderate`.
   *
   * `DELETE /farmhands`
   *
   * Errors of its own: `ambiguous-name`, `backup-failed`, `backup-under-way`, `backups-off`, `command-failed`, `farmhand-not-found`, `farmhand-online`, `no-room`, `no-save`
   */
  deleteFarmhand(parameters: DeleteFarmhandParameters, options?: WriteOptions): Promise<FarmhandDeleted>;

  /**
   * Give a farmhand to another identity
   *
   * For a player who now connects in another way. Works for online and empty farmhands, too: nobody is disconnected, and an empty one is then reserved for its owner. If the farmhand is an admin in the game, this needs `admin`. Needs the scope `moderate`.
   *
   * `POST /farmhands/rebind`
   *
   * Errors of its own: `ambiguous-name`, `farmhand-not-found`, `ownership-unwritable`
   */
  rebindFarmhand(parameters: RebindFarmhandParameters, options?: WriteOptions): Promise<FarmhandRebound>;

  /**
   * Make a farmhand free for the next player
   *
   * The next player who takes it through the platform or the network owns it. If a player takes it by direct IP, everyone who connects by IP can use it. An empty slot is open to everyone again. If the farmhand is an admin in the game, this needs `admin`. Needs the scope `moderate`.
   *
   * `POST /farmhands/release`
   *
   * Errors of its own: `ambiguous-name`, `farmhand-not-found`, `farmhand-online`, `ownership-unwritable`
   */
  releaseFarmhand(parameters: ReleaseFarmhandParameters, options?: WriteOptions): Promise<FarmhandReleased>;

  /**
   * The effective settings, and which are not in effect yet
   *
   * Needs the scope `read`.
   *
   * `GET /settings`
   */
  getSettings(parameters?: Record<string, never>, options?: CallOptions): Promise<Settings>;

  /**
   * Change values of the settings file's server section
   *
   * Only the named settings change; comments, unknown keys and everything else in the file stay as they are, and the previous file is kept beside it. It works without a game, too; the game gets the settings when it connects. Needs the scope `operate`.
   *
   * `POST /settings`
   *
   * Errors of its own: `command-failed`, `settings-unreadable`, `settings-unwritable`
   */
  changeSettings(parameters?: ChangeSettingsParameters, options?: WriteOptions): Promise<SettingsChanged>;

  /**
   * Cabins, their owners and positions
   *
   * Needs the scope `read`.
   *
   * `GET /cabins`
   */
  listCabins(parameters?: Record<string, never>, options?: CallOptions): Promise<Cabins>;

  /**
   * The farm's date and time of day
   *
   * Needs the scope `read`.
   *
   * `GET /time`
   */
  getTime(parameters?: Record<string, never>, options?: CallOptions): Promise<Time>;

  /**
   * Set the time of day
   *
   * Needs the scope `operate`.
   *
   * `POST /time`
   *
   * Errors of its own: `command-failed`
   */
  setTime(parameters: SetTimeParameters, options?: WriteOptions): Promise<TimeChanged>;

  /**
   * How the latest changes ended
   *
   * The newest first, each as in GET /operations/{id}. Needs the scope `read`.
   *
   * `GET /operations`
   *
   * Errors of its own: `invalid-parameter`, `operation-not-found`
   */
  listOperations(parameters?: ListOperationsParameters, options?: CallOptions): Promise<Operations>;

  /**
   * How a change ended
   *
   * Known for 24 hours after it ended or 1,000 operations, also after restarts. Needs the scope `read`.
   *
   * `GET /operations/{id}`
   *
   * Errors of its own: `invalid-parameter`, `operation-not-found`
   */
  getOperation(parameters: GetOperationParameters, options?: CallOptions): Promise<Operation>;

  /**
   * Write one line in the game’s chat
   *
   * Shown to the players as text, never run as a command, and answered once the game has shown it. The same as `chat_send` over /ws, for programs that write only now and then. Needs the scope `chat`.
   *
   * `POST /chat`
   *
   * Errors of its own: `command-failed`
   */
  sendChat(parameters: SendChatParameters, options?: WriteOptions): Promise<ChatSent>;

  /**
   * The backups in BACKUP_DIR, and the free space
   *
   * The newest first. Files that look like a backup but cannot be read are listed separately, with the reason. Needs the scope `read`.
   *
   * `GET /backups`
   *
   * Errors of its own: `backups-off`
   */
  listBackups(parameters?: Record<string, never>, options?: CallOptions): Promise<Backups>;

  /**
   * Make a backup of the last save
   *
   * The game runs on meanwhile. The backup is read back before it counts. If it takes longer than 25 seconds, the answer is 202, and GET /operations/{id} shows how it ends. Needs the scope `operate`.
   *
   * `POST /backups`
   *
   * Errors of its own: `backup-failed`, `backup-under-way`, `backups-off`, `no-room`, `no-save`
   */
  createBackup(parameters?: CreateBackupParameters, options?: WriteOptions): Promise<BackupMade | UnderWay>;

  /**
   * Delete a backup
   *
   * Needs the scope `admin`.
   *
   * `DELETE /backups`
   *
   * Errors of its own: `backup-failed`, `backup-not-found`, `backup-under-way`, `backups-off`
   */
  deleteBackup(parameters: DeleteBackupParameters, options?: WriteOptions): Promise<BackupDeleted>;

  /**
   * Restore a backup
   *
   * The current farm is backed up first. The game is stopped and started again if this service starts it; if not, stop it first. Players lose what they did since the backup. If it takes longer than 25 seconds, the answer is 202: GET /operations/{id} shows each step. Needs the scope `admin`.
   *
   * `POST /backups/restore`
   *
   * Errors of its own: `backup-failed`, `backup-not-found`, `backup-under-way`, `backup-unfit`, `backups-off`, `game-running`, `no-room`, `no-save`
   */
  restoreBackup(parameters: RestoreBackupParameters, options?: WriteOptions): Promise<BackupRestored | UnderWay>;

  /**
   * The backup itself: a tar archive in zstd, <id>.steward.tar.zst
   *
   * Needs the scope `admin`.
   *
   * `GET /backups/{id}/file`
   *
   * Errors of its own: `backup-not-found`, `backups-off`, `invalid-parameter`
   */
  getBackupFile(parameters: GetBackupFileParameters, options?: CallOptions): Promise<Bytes>;

  /**
   * All schedules, when each runs next, and how the last run ended
   *
   * In the order in which they were created. Needs the scope `operate`.
   *
   * `GET /schedules`
   */
  listSchedules(parameters?: Record<string, never>, options?: CallOptions): Promise<Schedules>;

  /**
   * Create a schedule: run an action at set times, or when the farm has been empty for a while
   *
   * It has the rights of the key that creates it, and is off once that key has ended. Each action takes its own parameters, in the same query: `save`: save the game; `announce`: show a message from the server to everybody in the game; `rendering`: set the render rate; `backup`: make a backup of the last save; `drain`: warn and disconnect players, save, and stop or restart the game; `update`: let the sidecar look for a newer build of the game; if there is one, drain the farm, back it up, install the build and start the game again. Needs the scope `operate`.
   *
   * `POST /schedules`
   *
   * Errors of its own: `no-sidecar`, `schedule-name-taken`, `too-many-schedules`
   */
  createSchedule(parameters: CreateScheduleParameters, options?: WriteOptions): Promise<ScheduleMade>;

  /**
   * Delete a schedule
   *
   * A run that has started continues. Needs the scope `operate`.
   *
   * `DELETE /schedules`
   *
   * Errors of its own: `schedule-not-found`
   */
  deleteSchedule(parameters: DeleteScheduleParameters, options?: WriteOptions): Promise<ScheduleDeleted>;

  /**
   * Run a schedule now
   *
   * Its next run stays as it is. `run` says how this one ended; if it takes more than 20 seconds, it has no outcome yet: look at GET /schedules. Needs the scope `operate`.
   *
   * `POST /schedules/run`
   *
   * Errors of its own: `schedule-not-found`, `schedule-off`, `schedule-running`
   */
  runSchedule(parameters: RunScheduleParameters, options?: WriteOptions): Promise<ScheduleRunNow>;

  /**
   * Events, page by page or live
   *
   * In order, kept across restarts for `EVENTS_KEEP_DAYS`. Without `after` you get the newest; with it, the events after that place. Use the `cursor` of one answer as the `after` of the next, and you miss nothing and get nothing twice. With `wait`, an answer without events waits for the first one. `gap` says that some of the requested events are lost. A key with only the scope `chat` gets the topic `chat`; only keys with `moderate` see players’ identities. Needs the scope `read` or `chat`.
   *
   * `GET /events`
   *
   * Errors of its own: `invalid-parameter`, `too-many-connections`
   */
  getEvents(parameters?: GetEventsParameters, options?: CallOptions): Promise<Events>;

  /**
   * The name and the scopes of this key
   *
   * For every key. Without an API_KEY everybody is `open`, and may do everything. Needs the scope `read` or `chat` or `operate` or `moderate` or `admin`.
   *
   * `GET /whoami`
   */
  getCaller(parameters?: Record<string, never>, options?: CallOptions): Promise<Caller>;

  /**
   * All keys and their scopes
   *
   * The newest first, without the secrets: a secret is shown only once, when the key is created. Needs the scope `admin`.
   *
   * `GET /keys`
   *
   * Errors of its own: `invalid-parameter`
   */
  listKeys(parameters?: ListKeysParameters, options?: CallOptions): Promise<Keys>;

  /**
   * Create a key that can do less than API_KEY
   *
   * The answer has the key in `secret`, only once: only its SHA-256 is stored. A retry with the same Idempotency-Key returns the same key with `secretShown` instead of the secret; if you lost that, POST /keys/rotate makes a new one. API_KEY must be set: without it everybody may do everything. Needs the scope `admin`.
   *
   * `POST /keys`
   *
   * Errors of its own: `key-name-taken`, `keys-need-api-key`, `too-many-keys`
   */
  createKey(parameters: CreateKeyParameters, options?: WriteOptions): Promise<KeyMade>;

  /**
   * Revoke a key
   *
   * It stops working at once, and its open connections are closed. Needs the scope `admin`.
   *
   * `DELETE /keys`
   *
   * Errors of its own: `key-not-found`
   */
  revokeKey(parameters: RevokeKeyParameters, options?: WriteOptions): Promise<KeyRevoked>;

  /**
   * Give a key a new secret
   *
   * Its id, name, scopes and expiry stay. The previous secret works for `graceSeconds`, so that its user can change it; the one before that ends at once. Use `graceSeconds=0` for a leaked secret. Needs the scope `admin`.
   *
   * `POST /keys/rotate`
   *
   * Errors of its own: `key-not-found`, `keys-need-api-key`
   */
  rotateKey(parameters: RotateKeyParameters, options?: WriteOptions): Promise<KeyRotated>;

  /**
   * All webhooks and their state
   *
   * In the order in which they were created. A URL is a secret: only its host and its end are shown. Needs the scope `admin`.
   *
   * `GET /webhooks`
   */
  listWebhooks(parameters?: Record<string, never>, options?: CallOptions): Promise<Webhooks>;

  /**
   * Create a webhook: send events to a URL
   *
   * Events from now on, in order and at least once, across restarts of either side: a repeated message has the same `webhook-id`. For the template `standard` the answer has the signing key in `secret`, only once; a retry with the same Idempotency-Key has `secretShown` instead. Needs the scope `admin`.
   *
   * `POST /webhooks`
   *
   * Errors of its own: `too-many-webhooks`, `webhook-name-taken`, `webhook-url-refused`
   */
  createWebhook(parameters: CreateWebhookParameters, options?: WriteOptions): Promise<WebhookMade>;

  /**
   * Delete a webhook
   *
   * Events that it has not received yet are not sent, and its deliveries are deleted. Needs the scope `admin`.
   *
   * `DELETE /webhooks`
   *
   * Errors of its own: `webhook-not-found`
   */
  deleteWebhook(parameters: DeleteWebhookParameters, options?: WriteOptions): Promise<WebhookDeleted>;

  /**
   * Switch a webhook on again, or retry a failing one now
   *
   * A webhook that was switched off continues where it stopped: it gets everything since in order, and one `gap` for events that are no longer kept. Needs the scope `admin`.
   *
   * `POST /webhooks/resume`
   *
   * Errors of its own: `webhook-not-found`
   */
  resumeWebhook(parameters: ResumeWebhookParameters, options?: WriteOptions): Promise<WebhookResumed>;

  /**
   * Send a test message now, and report the result
   *
   * Also works if the webhook is off. It counts neither as a delivery nor as a failure. Needs the scope `admin`.
   *
   * `POST /webhooks/test`
   *
   * Errors of its own: `webhook-not-found`
   */
  testWebhook(parameters: TestWebhookParameters, options?: WriteOptions): Promise<WebhookTested>;

  /**
   * What was delivered, and what was given up, with the reason
   *
   * The newest first. For each webhook, the last 200 delivered and the last 1,000 given up are kept, for 30 days. Needs the scope `admin`.
   *
   * `GET /webhooks/deliveries`
   *
   * Errors of its own: `invalid-parameter`
   */
  listDeliveries(parameters?: ListDeliveriesParameters, options?: CallOptions): Promise<Deliveries>;
}
