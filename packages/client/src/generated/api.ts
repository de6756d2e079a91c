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
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  /** Absent where a player was named whom nobody has shown yet, and the game does not say whose the name is */
  playerId?: bigint;
  /** The same id in decimal digits. Absent where a player was named whom nobody has shown yet, and the game does not say whose the name is */
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
  /** Whether those on the list alone come in */
  isOn: boolean;
  allowlist: AllowlistRow[];
}

export interface AllowlistRow {
  id: string;
  playerName?: string;
  /** Of a player: by which identities they were known when the row was made */
  identities?: string[];
  /** Of an identity: its digits */
  identity?: string;
  /** Of an address or a network */
  address?: string;
  /** Shown to the player */
  reason?: string;
  /** Absent where it never ends by itself */
  until?: string;
  /** Absent where somebody wrote it into the file */
  createdAt?: string;
  playerId?: bigint;
  /** The same id in decimal digits */
  playerIdStr?: string;
  /** Its time is over: it lets nobody in */
  isOver?: true;
}

export interface Announced {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  /** The text was longer than 450 characters, and cut */
  truncated?: true;
  /** Where it was cut: how many characters were shown, with the `…` at the end */
  length?: number;
}

export interface Audit {
  lines: AuditLine[];
}

/** One thing that somebody did, or was kept from */
export interface AuditLine {
  /** Of the key; absent for API_KEY and without a key */
  keyId?: string;
  /** Where it came from; of a flood, the network that is counted */
  address?: string;
  door?: 'http' | 'ws' | 'schedule';
  /** The action in words */
  says: string;
  /** What it was asked with, but for what is secret; long values are cut */
  parameters?: Record<string, unknown>;
  /** Whom it was done to */
  subject?: {
    id: bigint;
    name: string;
    /** The same id in decimal digits */
    idStr: string;
  };
  /** The code of the error that was answered */
  problem?: string;
  /** Stands on the lines of the log, too */
  requestId?: string;
  /** So many of these came within a minute; the first of a flood has a line of its own */
  count?: number;
  /** The service ended before it knew how this ends */
  interrupted?: true;
  /** Grows with each line; not every number is one */
  number: number;
  /** ISO 8601 UTC with milliseconds */
  at: string;
  /** The name of the key, `owner` or `open`; `schedule <name>` for what one does by itself; `nobody` for a wrong key */
  actor: string;
  /** The operationId of the endpoint, or authenticate */
  action: string;
  /** applied: it was done; refused: nothing was done, and `problem` says why; void: the game did not take it, and never will; unknown: it may have been done; failed: the server made a mistake over it; denied: the key was wrong, or not good for it */
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
  /** The rule of BACKUP_KEEP never takes it away */
  keep: boolean;
  /** Of the file */
  bytes: number;
  /** As the save has it: the evening before, where the game saves at night */
  farm: {
    farmId?: string;
    farmName?: string;
    day?: number;
    season?: 'spring' | 'summer' | 'fall' | 'winter';
    year?: number;
    saveGeneration?: number;
  };
  parts: ('saves' | 'owners' | 'settings' | 'bans' | 'database')[];
  /** What should be in it and could not be copied */
  missing?: {
    part: 'saves' | 'owners' | 'settings' | 'bans' | 'database';
    reason: string;
  }[];
  /** It has keys, webhooks and the audit: keep it as you keep API_KEY */
  all: boolean;
}

export interface BackupDeleted {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  backup: Backup;
}

export interface BackupMade {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  backup: Backup;
}

export interface BackupRestored {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  backup: Backup;
  /** The way back; absent where there was nothing to go back to */
  safetyBackupId?: string;
  /** The game was seen online again with the farm of the backup */
  isSeen: boolean;
}

export interface Backups {
  backups: Backup[];
  unreadable: {
    file: string;
    reason: string;
  }[];
  /** Of all files in BACKUP_DIR that look like a backup */
  bytes: number;
  /** What the disk of BACKUP_DIR has room for */
  freeBytes: number;
  /** BACKUP_KEEP */
  rule: string;
}

export interface BanLifted {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  row: ModerationRow;
}

export interface Bans {
  bans: ModerationRow[];
}

export interface BansImported {
  success: true;
  /** What was done, for a person */
  message: string;
  /** Absent from a dry run */
  operationId?: string;
  dryRun: boolean;
  list: 'bans' | 'allowlist';
  added: number;
  alreadyThere: number;
  /** Left out, since their time is over */
  over: number;
  /** Left out, and why */
  refused: {
    /** Counted from 0 */
    row: number;
    reason: string;
  }[];
}

export interface Cabins {
  /** Where cabins stand */
  strategy: 'CabinStack' | 'FarmhouseStack' | 'None';
  totalCount: number;
  assignedCount: number;
  availableCount: number;
  cabins: {
    tileX: number;
    tileY: number;
    isHidden: boolean;
    type: 'Normal' | 'CabinStack' | 'FarmhouseStack' | 'SharedLobby' | 'IndividualLobby' | 'Editing';
    /** The id of the slot, also of a fresh one; 0 where there is none */
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
  /** `owner` of API_KEY, `open` where there is none, else the name of the key */
  name: string;
  /** Absent for the owner, and where no key is asked for */
  keyId?: string;
  scopes: ('read' | 'chat' | 'operate' | 'moderate' | 'admin')[];
  /** Absent where it never does by itself */
  expiresAt?: string;
}

export interface ChatSent {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  /** The game has shown it, as `chat_sent` says it */
  status: 'delivered';
  /** The text was longer than 450 characters, and cut */
  truncated?: true;
  /** Where it was cut: how many characters were shown, with the `…` at the end */
  length?: number;
}

export interface Deliveries {
  deliveries: Delivery[];
}

export interface Delivery {
  /** Grows with each; not every number is one */
  number: number;
  webhookId: string;
  webhookName: string;
  /** Its `webhook-id` */
  messageId: string;
  /** Of the event, or gap */
  type: string;
  outcome: 'delivered' | 'givenUp';
  /** When it ended so */
  at: string;
  tries: number;
  status?: number;
  /** Why it was given up */
  reason?: string;
}

export interface Drain {
  /** Absent where there is none */
  draining?: Draining;
  /** Who would have to leave */
  players: number;
  /** When the game saved last, as far as this service has heard of it */
  savedAt?: string;
  /** For a person */
  lostIfStoppedNow: string;
}

export interface DrainEnded {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  /** Whether it had stopped the game, which comes back */
  wasStopped: boolean;
}

export interface Draining {
  /** stopped: it is over, and the game stays away until DELETE /drain */
  phase: 'waiting' | 'counting' | 'leaving' | 'saving' | 'stopping' | 'starting' | 'stopped';
  when: 'now' | 'empty' | 'day-end';
  restart: boolean;
  message?: string;
  /** ISO 8601 UTC with milliseconds */
  startedAt: string;
  /** When it goes on at the latest: the end of the wait, or of the countdown */
  until?: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId?: string;
}

/** What Event has as its `data`, by its `type`. */
export interface EventData {
  /** Events in this place are gone for good: the server was killed, or they were kept for long enough */
  'gap': object;
  /** A player said something, for everybody to hear */
  'chat.said': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
    message: string;
  };
  /** A player came */
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
  /** A player went */
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
  /** Somebody was kept out of a farmhand; told once a try */
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
  /** Somebody was turned away before any farmhand was shown to them; told once a try */
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
  /** Somebody was sent away, and may come back */
  'players.kicked': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
  };
  /** Somebody is kept out from now on */
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
  /** Somebody is not kept out any more: a ban was lifted, or is over */
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
  /** Somebody is on the list of those who alone come in */
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
  /** Somebody is not on that list any more */
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
  /** Another farm is loaded: an old one, or one that was made just now */
  'farm.loaded': {
    farmId?: string;
    farmName: string;
    isNew: boolean;
    operationId: string;
  };
  /** A slot has become somebody’s farmhand */
  'farmhands.customized': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
  };
  /** Whoever had taken a slot left it as it was */
  'farmhands.abandoned': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
  };
  /** A farmhand is gone */
  'farmhands.deleted': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
  };
  /** A farmhand belongs to somebody from now on */
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
  /** A farmhand is for whoever comes next */
  'farmhands.released': {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
  };
  /** A step of the way to the invite codes is in another state */
  'invites.step': {
    step: string;
    from: string;
    to: string;
    reason: string;
    remedy?: string;
  };
  /** These invite codes work from now on; where there is none, none does */
  'invites.codes': {
    platform?: string;
    network?: string;
  };
  /** The game signed in to the cross-platform network */
  'invites.networkSignedIn': object;
  /** The game is not signed in to the cross-platform network any more */
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
  /** The game ticks late; while it goes on like that this is told once */
  'game.slow': {
    reason: string;
    remedy?: string;
  };
  /** The game does not tick any more */
  'game.frozen': {
    reason: string;
    remedy?: string;
  };
  /** The game has ticked in time for a while */
  'game.recovered': {
    reason: string;
    remedy?: string;
  };
  /** The connection to the game is lost, or was given up */
  'game.lost': {
    reason: string;
    remedy?: string;
  };
  /** The game that was started here ended by itself, and is started again */
  'game.crashed': {
    reason: string;
    remedy?: string;
    /** What the game printed last, in its own words: nobody here vouches for them. Absent for a key without the scope moderate */
    lastLines?: string[];
  };
  /** The game is let go: this service stops, or has it away while a backup is restored */
  'game.stopped': {
    reason: string;
    remedy?: string;
  };
  /** A change that somebody asked for has ended, or it is unknown how */
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
  /** A backup was made, and read back */
  'backups.made': {
    backupId: string;
    why: 'asked' | 'schedule' | 'before-restore' | 'before-delete' | 'before-update' | 'before-farm-change' | 'imported';
    day?: number;
    season?: 'spring' | 'summer' | 'fall' | 'winter';
    year?: number;
    bytes: number;
  };
  /** A backup could not be made, and nothing was kept of it */
  'backups.failed': {
    why: 'asked' | 'schedule' | 'before-restore' | 'before-delete' | 'before-update' | 'before-farm-change' | 'imported';
    reason: string;
    remedy?: string;
  };
  /** A backup is gone: manually, or by the rule of BACKUP_KEEP */
  'backups.deleted': {
    backupId: string;
    why: 'asked' | 'schedule' | 'before-restore' | 'before-delete' | 'before-update' | 'before-farm-change' | 'imported';
    day?: number;
    season?: 'spring' | 'summer' | 'fall' | 'winter';
    year?: number;
    by: 'hand' | 'rule';
  };
  /** A backup is being restored: one step of it begins */
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
  /** A backup was not restored, and everything is as it was */
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
  /** A schedule has done what it does */
  'schedules.ran': {
    scheduleId: string;
    scheduleName: string;
    action: string;
    /** ISO 8601 UTC with milliseconds */
    dueAt?: string;
    operationId?: string;
  };
  /** A schedule has not done what it does, or it is unknown whether it has */
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
  /** A schedule was due and not begun: missed, or the one before was still running */
  'schedules.skipped': {
    scheduleId: string;
    scheduleName: string;
    action: string;
    /** ISO 8601 UTC with milliseconds */
    dueAt?: string;
    reason: string;
  };
  /** A schedule does nothing any more: the key that made it has ended */
  'schedules.switchedOff': {
    scheduleId: string;
    scheduleName: string;
    action: string;
    reason: string;
    remedy?: string;
  };
  /** The platform session stands otherwise */
  'sidecar.session': {
    state: 'no-account' | 'paced' | 'logging-in' | 'logged-in' | 'retrying' | 'rate-limited' | 'replaced' | 'credentials-refused';
    reason: string;
    remedy?: string;
  };
  /** The game’s files stand otherwise, or the platform has another build */
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
  /** Players are being seen off: one step of it begins */
  'server.draining': {
    phase: 'waiting' | 'counting' | 'leaving' | 'saving' | 'stopping' | 'starting' | 'stopped';
    when: 'now' | 'empty' | 'day-end';
    restart: boolean;
    message?: string;
    /** ISO 8601 UTC with milliseconds */
    until?: string;
  };
  /** Players were seen off, and the game is stopped, or back */
  'server.drained': {
    restart: boolean;
    isSaved: boolean;
    isBack: boolean;
  };
  /** Nobody is seen off any more: players come in again */
  'server.drainEnded': {
    reason: string;
  };
  /** Settings were changed, by a request or in the file */
  'server.settingsChanged': {
    /** As `server.maxPlayers` */
    fields: string[];
  };
  /** A webhook is told nothing any more until somebody resumes it */
  'webhooks.switchedOff': {
    webhookId: string;
    webhookName: string;
    reason: string;
    remedy?: string;
  };
  /** What these operations read is another; its cursor is the place in the order of all that is kept */
  'state.changed': {
    /** By their operationIds, such as `getStatus` */
    reads: string[];
  };
}

/** What can be said in the `type` of Event. */
export type EventType = keyof EventData;

/** Something that happened */
export type Event = {
  [Type in EventType]: {
    type: Type;
    /** ISO 8601 UTC with milliseconds */
    at: string;
    /** A place in the order of everything that happens. Keep the last one; its form may change. */
    cursor: string;
    /** INSTANCE_NAME, where it is set */
    instance?: string;
    data: EventData[Type];
  };
}[EventType];

export interface Events {
  events: Event[];
  /** Some of what was asked for is gone for good: the server was killed, or it was kept for long enough */
  gap: boolean;
  /** The place behind this page: the `after` of the next */
  cursor: string;
}

export interface FarmhandDeleted {
  success: true;
  /** What was done, for a person */
  message: string;
  /** Absent from a dry run */
  operationId?: string;
  dryRun: boolean;
  /** Absent where a player was named whom nobody has shown yet, and the game does not say whose the name is */
  playerId?: bigint;
  /** The same id in decimal digits. Absent where a player was named whom nobody has shown yet, and the game does not say whose the name is */
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
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  playerId: bigint;
  /** The same id in decimal digits */
  playerIdStr: string;
  playerName: string;
  before: {
    /** Somebody owns it; nobody else is let in with it */
    owned: boolean;
    /** Whoever takes it next owns it */
    released: boolean;
    /** Whose id the owner is known by: the primary platform or the cross-platform network */
    door?: 'platform' | 'network';
    /** claim: the owner took it; operator: it was decided here */
    origin?: 'claim' | 'operator';
  };
  after: {
    /** Somebody owns it; nobody else is let in with it */
    owned: boolean;
    /** Whoever takes it next owns it */
    released: boolean;
    /** Whose id the owner is known by: the primary platform or the cross-platform network */
    door?: 'platform' | 'network';
    /** claim: the owner took it; operator: it was decided here */
    origin?: 'claim' | 'operator';
  };
}

export interface FarmhandReleased {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  playerId: bigint;
  /** The same id in decimal digits */
  playerIdStr: string;
  playerName: string;
  before: {
    /** Somebody owns it; nobody else is let in with it */
    owned: boolean;
    /** Whoever takes it next owns it */
    released: boolean;
    /** Whose id the owner is known by: the primary platform or the cross-platform network */
    door?: 'platform' | 'network';
    /** claim: the owner took it; operator: it was decided here */
    origin?: 'claim' | 'operator';
  };
  after: {
    /** Somebody owns it; nobody else is let in with it */
    owned: boolean;
    /** Whoever takes it next owns it */
    released: boolean;
    /** Whose id the owner is known by: the primary platform or the cross-platform network */
    door?: 'platform' | 'network';
    /** claim: the owner took it; operator: it was decided here */
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
    /** Somebody owns it; nobody else is let in with it. Absent where it is unknown: the ownership map is not read, cannot be read, or was lost with this farmhand in it; and with GAME_BRIDGE=existing */
    owned?: boolean;
    /** Whoever takes it next owns it. Absent where it is unknown: the ownership map is not read, cannot be read, or was lost with this farmhand in it; and with GAME_BRIDGE=existing */
    released?: boolean;
    /** Whose id the owner is known by: the primary platform or the cross-platform network */
    door?: 'platform' | 'network';
    /** claim: the owner took it; operator: it was decided here */
    origin?: 'claim' | 'operator';
  }[];
  /** Grows with each change that the game tells; 0 before the first */
  version: number;
}

export interface Farms {
  farms: SavedFarm[];
}

export interface GameLog {
  lines: {
    /** ISO 8601 UTC with milliseconds */
    at: string;
    /** stdout has what the game prints beside the messages that it sends there */
    stream: 'stdout' | 'stderr';
    /** The game's own words */
    text: string;
  }[];
}

export interface GameSaved {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  /** How often the farm was saved in its life */
  saveGeneration: number;
  before: {
    saveGeneration: number;
  };
  after: {
    saveGeneration: number;
  };
}

export interface Health {
  /** degraded: the process answers, the game does not tick */
  status: 'ok' | 'degraded';
  /** ISO 8601 UTC with milliseconds */
  timestamp: string;
  /** Since the game's last tick; absent before the first */
  lastTickMs?: number;
  pendingActions: number;
  /** Players can join; absent while unknown */
  gameAvailable?: boolean;
  tickCount: number;
  /** How the game stands, and since when */
  game: {
    status: 'starting' | 'waiting' | 'live' | 'slow' | 'frozen' | 'gone' | 'restarting' | 'stopped';
    /** ISO 8601 UTC with milliseconds */
    since: string;
  };
  /** No tick yet, or none for 5 seconds */
  isFrozen: boolean;
}

export interface InviteCode {
  /** What players type in; absent while there is none */
  inviteCode?: string;
  /** Why there is none, and how to fix it */
  error?: string;
}

/** One step of the invite code’s way */
export interface InviteWayStep {
  step: 'sidecar' | 'login' | 'ticket' | 'network-sign-in' | 'network-lobby' | 'platform-lobby' | 'link' | 'codes';
  /** off: this server goes without it; waiting: for what comes before it; working: under way; ok; failed: and is tried again; lost: it held, and is being brought back */
  state: 'off' | 'waiting' | 'working' | 'ok' | 'failed' | 'lost';
  /** Why it is in this state */
  reason: string;
  /** How to fix it, or that it passes by itself */
  remedy?: string;
  /** When it came into this state */
  since: string;
  /** When it is tried again */
  nextRetry?: string;
}

export interface Key {
  id: string;
  name: string;
  scopes: ('read' | 'chat' | 'operate' | 'moderate' | 'admin')[];
  state: 'active' | 'revoked' | 'expired';
  /** ISO 8601 UTC with milliseconds */
  createdAt: string;
  /** Absent where it never does by itself */
  expiresAt?: string;
  /** To the minute; absent where it never was */
  lastUsedAt?: string;
  /** When it was revoked, or expired */
  endedAt?: string;
  /** Until when the secret before the last rotation works, where it does */
  oldSecretUntil?: string;
}

export interface KeyMade {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  key: Key;
  /** The key itself: shown in this answer and never again */
  secret?: string;
  /** In place of the secret, where the first answer to this request had it */
  secretShown?: true;
}

export interface KeyRevoked {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  key: Key;
}

export interface KeyRotated {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  key: Key;
  /** The key itself: shown in this answer and never again */
  secret?: string;
  /** In place of the secret, where the first answer to this request had it */
  secretShown?: true;
}

export interface Keys {
  keys: Key[];
}

/** Whom it is about: a player, an identity or an address */
export interface ModerationRow {
  id: string;
  playerName?: string;
  /** Of a player: by which identities they were known when the row was made */
  identities?: string[];
  /** Of an identity: its digits */
  identity?: string;
  /** Of an address or a network */
  address?: string;
  /** Shown to the player */
  reason?: string;
  /** Absent where it never ends by itself */
  until?: string;
  /** Absent where somebody wrote it into the file */
  createdAt?: string;
  playerId?: bigint;
  /** The same id in decimal digits */
  playerIdStr?: string;
}

/** Why players cannot join; or, keeping nobody out, why codes come and go (`account-contended`), chat does not pass (`no-chat`) or what is kept is lost over restarts (`state-unreadable`) */
export interface Obstacle {
  code: 'no-game' | 'game-slow' | 'game-frozen' | 'no-state' | 'no-farm' | 'not-ready' | 'no-way-in' | 'draining' | 'account-contended' | 'no-chat' | 'state-unreadable' | 'state-unwritable' | 'bans-unreadable' | 'bans-outdated' | 'ownership-incomplete' | 'ownership-unreadable' | 'ownership-unwritable';
  /** What is wrong */
  reason: string;
  /** What to do, or that it passes by itself */
  remedy: string;
  /** ISO 8601 UTC with milliseconds */
  since?: string;
  /** The step of the invite code’s way that it is */
  step?: 'sidecar' | 'login' | 'ticket' | 'network-sign-in' | 'network-lobby' | 'platform-lobby' | 'link' | 'codes';
  /** When it is tried again */
  nextRetry?: string;
}

/** What became of one command to the game */
export interface Operation {
  operationId: string;
  command: 'setRenderRate' | 'setTime' | 'grantAdmin' | 'deleteFarmhand' | 'clearStamp' | 'sendChat' | 'announce' | 'kick' | 'applySettings' | 'linkLobby' | 'newFarm' | 'loadFarm' | 'save' | 'stop' | 'rebindFarmhand' | 'releaseFarmhand' | 'createKey' | 'revokeKey' | 'rotateKey' | 'createWebhook' | 'deleteWebhook' | 'resumeWebhook' | 'testWebhook' | 'createBackup' | 'deleteBackup' | 'restoreBackup' | 'drain' | 'endDrain' | 'createFarm' | 'changeFarm' | 'updateGame' | 'createSchedule' | 'deleteSchedule' | 'runSchedule' | 'addBan' | 'removeBan' | 'allowPlayer' | 'disallowPlayer' | 'importBans';
  /** pending and claimed: under way; unknown: taken, and how it ended is not known yet; applied, refused, void: final */
  state: 'pending' | 'claimed' | 'unknown' | 'applied' | 'refused' | 'void';
  /** ISO 8601 UTC with milliseconds */
  createdAt: string;
  /** ISO 8601 UTC with milliseconds */
  changedAt: string;
  why?: string;
  /** What is done now, or was done last, where it is done in steps */
  step?: string;
  /** Of an unknown outcome: nobody will ever tell */
  forGood?: true;
  subject?: {
    id: bigint;
    name: string;
    /** The same id in decimal digits */
    idStr: string;
  };
  /** Without platform and network identities for a key that lacks the scope moderate; of keys and webhooks nothing, where it lacks admin */
  before?: Record<string, unknown>;
  /** Without platform and network identities for a key that lacks the scope moderate; of keys and webhooks nothing, where it lacks admin */
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
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  row: ModerationRow;
}

export interface PlayerBanned {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  row: ModerationRow;
  /** Who was sent away by it */
  kicked: {
    playerId: bigint;
    /** The same id in decimal digits */
    playerIdStr: string;
    playerName: string;
  }[];
  /** Who is on the farm all the same, and why; it is tried again */
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
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  row: ModerationRow;
}

export interface PlayerKicked {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  /** Absent where a player was named whom nobody has shown yet, and the game does not say whose the name is */
  playerId?: bigint;
  /** The same id in decimal digits. Absent where a player was named whom nobody has shown yet, and the game does not say whose the name is */
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
    /** Empty until it has come from the player */
    name: string;
    isOnline: boolean;
    /** true while somebody is coming in, or makes a new character, and has no name yet */
    isJoining?: boolean;
    /** Absent with GAME_BRIDGE=existing */
    isAdmin?: boolean;
  }[];
  /** Grows with each change that the game tells; 0 before the first */
  version: number;
}

/** What went wrong, and what to do */
export interface Problem {
  /** Always about:blank; `code` is what to switch on */
  type: string;
  /** What the code means in general */
  title: string;
  /** The HTTP status */
  status: number;
  /** A stable name for this kind of error; later versions may know more of them */
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
  /** Of a command that was sent to the game. false: it was not applied and never will be. null: nobody knows; GET /operations/{id} may tell later. Beside `waiting` it is said of the game alone: the settings file has it */
  applied?: false | null;
  /** For GET /operations/{id}: the command that became an operation before it failed */
  operationId?: string;
  /** Of a change of settings that stands in the file: what the game has not confirmed */
  waiting?: WaitingSettings;
  /** Whom an ambiguous name fits */
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
  /** The invite code’s way, step by step, from the sidecar to the codes */
  inviteWay: InviteWayStep[];
}

export interface Rendering {
  fps: number;
}

export interface RenderingChanged {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
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
  /** Where the first step begins */
  from: string;
  step: 'minute' | 'hour' | 'day';
  stepSeconds: number;
  /** Players online, on average */
  players: (number | null)[];
  /** The most players that were online */
  mostPlayers: (number | null)[];
  /** Tick rate of the game while there was one, as it was counted */
  ticksPerSecond: (number | null)[];
  /** The longest time without a sign of life from the game, which says that it ticks at least once a second; null for one behind GAME_BRIDGE=existing */
  tickGapMs: (number | null)[];
  /** The longest that a command waited until the game came to it, or, behind GAME_BRIDGE=existing, a request until that server answered; null where there was none */
  bridgeLatencyMs: (number | null)[];
  /** The most memory that the control API took */
  serviceMemoryMb: (number | null)[];
  /** The most memory that the game said it took */
  gameMemoryMb: (number | null)[];
}

export interface SavedFarm {
  /** The farm's own id, the same for all its life */
  id: string;
  farmName: string;
  /** The name of the host */
  farmer?: string;
  day?: number;
  season?: 'spring' | 'summer' | 'fall' | 'winter';
  year?: number;
  /** When it was saved last */
  lastPlayedAt?: string;
  /** Whether it is the one that is played */
  isLoaded: boolean;
}

export interface Schedule {
  id: string;
  name: string;
  action: 'save' | 'announce' | 'rendering' | 'backup' | 'drain' | 'update';
  /** What the action is told */
  parameters: Record<string, unknown>;
  cron?: string;
  /** By which clock `cron` goes */
  timeZone?: string;
  missed?: 'skip' | 'once';
  /** In place of `cron` */
  emptyMinutes?: number;
  /** The name of the key, `owner` or `open` */
  madeBy: string;
  /** ISO 8601 UTC with milliseconds */
  createdAt: string;
  /** off: the key that made it has ended */
  state: 'active' | 'off';
  /** Why it is off */
  reason?: string;
  /** When it is due next; absent where it is off, and while somebody is online */
  nextRun?: string;
  lastRun?: ScheduleRun;
}

export interface ScheduleDeleted {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  schedule: Schedule;
}

export interface ScheduleMade {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  schedule: Schedule;
}

export interface ScheduleRun {
  /** When it began, or was passed over */
  at: string;
  /** When it was due; absent where somebody asked for it */
  dueAt?: string;
  /** ISO 8601 UTC with milliseconds */
  endedAt?: string;
  /** Absent while it runs. applied: it was done; failed: it was not done, and `reason` says why; unknown: it may have been done; skipped: it was not begun: the one before was still running, or it was missed */
  outcome?: 'applied' | 'failed' | 'unknown' | 'skipped';
  /** Of what it did, for GET /operations/{id} */
  operationId?: string;
  reason?: string;
}

export interface ScheduleRunNow {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  schedule: Schedule;
  run: ScheduleRun;
}

export interface Schedules {
  schedules: Schedule[];
}

export interface Settings {
  /** What a new farm is made from; with GAME_BRIDGE=existing what that server tells of it */
  game: {
    /** The farm's name */
    farmName?: string;
    /** A built-in type's index, or a mod farm's id */
    farmType?: number | string;
    /** What goods are sold for, as a part of the usual price */
    profitMargin?: number;
    /** How many cabins stand from the first day on */
    startingCabins?: number;
    /** Whether monsters come at night; auto: as the type of the farm has it */
    spawnMonstersAtNight?: 'true' | 'false' | 'auto';
    /** Whether the community center's bundles are remixed */
    remixBundles?: boolean;
    /** Whether the rewards in the mines are remixed */
    remixMines?: boolean;
    /** Whether the community center can surely be completed in the first year */
    communityCenterYear1?: boolean;
    /** Whether the first cabins stand close together */
    cabinLayoutNearby?: boolean;
    /** Whether chance works as in older versions of the game */
    useLegacyRandom?: boolean;
    /** Where the farm's chance comes from; without one it is random */
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
  /** All of it; with GAME_BRIDGE=existing what that server tells */
  server: {
    /** How many players may be online */
    maxPlayers?: number;
    /** Where cabins stand */
    cabinStrategy?: 'CabinStack' | 'FarmhouseStack' | 'None';
    /** Whether each player has money of their own */
    separateWallets?: boolean;
    /** What becomes of cabins that stand already */
    existingCabinBehavior?: 'KeepExisting' | 'MoveToStack';
    /** Whether the game logs more */
    verboseLogging?: boolean;
    /** Whether players may join by direct IP */
    allowIpConnections?: boolean;
    /** Whether a farmhand is kept for who first took it */
    enforceFarmhandOwnership?: boolean;
    /** Whether players who log in wait together or each alone */
    lobbyMode?: 'Shared' | 'Individual';
    /** The layout of that waiting room */
    activeLobbyLayout?: string;
    /** Accounts that become admin when they join, by either network. Absent for a key without the scope moderate */
    adminPlatformIds?: string[];
    /** Ticks between two broadcasts of positions */
    networkBroadcastPeriod?: number;
  };
  waiting: WaitingSettings;
  /** Why the file counts for nothing and these are the defaults */
  problem?: string;
}

export interface SettingsChanged {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  /** The named settings, as they were */
  before: {
    /** How many players may be online */
    maxPlayers?: number;
    /** Where cabins stand */
    cabinStrategy?: 'CabinStack' | 'FarmhouseStack' | 'None';
    /** Whether each player has money of their own */
    separateWallets?: boolean;
    /** What becomes of cabins that stand already */
    existingCabinBehavior?: 'KeepExisting' | 'MoveToStack';
    /** Whether the game logs more */
    verboseLogging?: boolean;
    /** Whether players may join by direct IP */
    allowIpConnections?: boolean;
    /** Whether a farmhand is kept for who first took it */
    enforceFarmhandOwnership?: boolean;
    /** Whether players who log in wait together or each alone */
    lobbyMode?: 'Shared' | 'Individual';
    /** The layout of that waiting room */
    activeLobbyLayout?: string;
    /** Accounts that become admin when they join, by either network. Absent for a key without the scope moderate */
    adminPlatformIds?: string[];
    /** Ticks between two broadcasts of positions */
    networkBroadcastPeriod?: number;
  };
  /** The named settings, as they are */
  after: {
    /** How many players may be online */
    maxPlayers?: number;
    /** Where cabins stand */
    cabinStrategy?: 'CabinStack' | 'FarmhouseStack' | 'None';
    /** Whether each player has money of their own */
    separateWallets?: boolean;
    /** What becomes of cabins that stand already */
    existingCabinBehavior?: 'KeepExisting' | 'MoveToStack';
    /** Whether the game logs more */
    verboseLogging?: boolean;
    /** Whether players may join by direct IP */
    allowIpConnections?: boolean;
    /** Whether a farmhand is kept for who first took it */
    enforceFarmhandOwnership?: boolean;
    /** Whether players who log in wait together or each alone */
    lobbyMode?: 'Shared' | 'Individual';
    /** The layout of that waiting room */
    activeLobbyLayout?: string;
    /** Accounts that become admin when they join, by either network. Absent for a key without the scope moderate */
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
  /** Absent before the game has told its uptime */
  startedAtUtc?: string;
}

export interface Status {
  /** Online farmers, the host not counted */
  playerCount: number;
  maxPlayers: number;
  /** The mod's own version */
  serverVersion: string;
  gameVersion: string;
  /** A farm is loaded and hosted */
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
  /** Leads through the primary platform */
  steamInviteCode?: string;
  /** Leads through the cross-platform network */
  gogInviteCode?: string;
  /** When the game last told something; empty before it did */
  lastUpdated: string | '';
  /** Grows with each change that the game tells; 0 before the first */
  version: number;
  /** Players can join now */
  isJoinable: boolean;
  /** Why they cannot, if they cannot; and what else is lost */
  obstacles: Obstacle[];
  /** The invite code’s way, step by step, from the sidecar to the codes */
  inviteWay: InviteWayStep[];
  /** INSTANCE_NAME, where it is set */
  instance?: string;
  /** Since when nobody is online, also over restarts; absent while somebody is, and while no game tells */
  emptySince?: string;
  /** What can be asked of the farm now, as operations are named; a request for anything else is 501 */
  capabilities: string[];
  /** Players are being seen off, or a drain has stopped the game; absent where neither is so */
  draining?: Draining;
  /** Whether the platform has another build of the game than GAME_DIR, as the sidecar says; absent where there is no sidecar, and while the files are not whole */
  gameUpdate?: {
    state: 'current' | 'available' | 'unknown';
    /** ISO 8601 UTC with milliseconds */
    since: string;
    /** When the platform answered last */
    checkedAt?: string;
    reason?: string;
    remedy?: string;
  };
  /** Files that a newer version wrote; absent when there is none */
  unreadFiles?: UnreadFile[];
}

export interface Time {
  timeOfDay: number;
  day: number;
  season: 'spring' | 'summer' | 'fall' | 'winter' | '';
  year: number;
  isPaused: boolean;
  /** Grows with each change that the game tells; 0 before the first */
  version: number;
}

export interface TimeChanged {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  timeOfDay: number;
  before: {
    timeOfDay: number;
  };
  after: {
    timeOfDay: number;
  };
}

/** It goes on; GET /operations/{id} tells each step, and how it ends */
export interface UnderWay {
  success: true;
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
}

/** A file that is left as it is, byte for byte */
export interface UnreadFile {
  path: string;
  /** Which version wrote it */
  reason: string;
  /** What to do */
  remedy: string;
}

/** Settings that are not in effect yet, and what they wait for */
export interface WaitingSettings {
  /** Other than what the farm was made from, as far as this service has seen; a farm that exists keeps that */
  newGame: string[];
  /** Not in effect in the running game, as far as it has said */
  restart: string[];
}

export interface Webhook {
  id: string;
  name: string;
  template: 'standard' | 'discord' | 'slack' | 'ntfy';
  topics: ('chat' | 'players' | 'farm' | 'farmhands' | 'invites' | 'game' | 'operations' | 'backups' | 'schedules' | 'sidecar' | 'server' | 'webhooks' | 'state')[];
  /** Whether it is told platform and network identities */
  identities: boolean;
  /** Of its URL */
  host: string;
  /** The last four characters of its URL */
  urlEndsWith: string;
  /** ISO 8601 UTC with milliseconds */
  createdAt: string;
  /** off: it is told nothing until it is resumed */
  state: 'active' | 'off';
  /** For how long it has been so */
  since: string;
}

export interface WebhookDeleted {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  webhook: Webhook;
}

export interface WebhookMade {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  webhook: Webhook;
  /** What its messages are signed with: shown in this answer and never again */
  secret?: string;
  /** In place of the secret, where the first answer to this request had it */
  secretShown?: true;
}

export interface WebhookResumed {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
  operationId: string;
  webhook: Webhook;
}

export interface WebhookStanding {
  id: string;
  name: string;
  template: 'standard' | 'discord' | 'slack' | 'ntfy';
  topics: ('chat' | 'players' | 'farm' | 'farmhands' | 'invites' | 'game' | 'operations' | 'backups' | 'schedules' | 'sidecar' | 'server' | 'webhooks' | 'state')[];
  /** Whether it is told platform and network identities */
  identities: boolean;
  /** Of its URL */
  host: string;
  /** The last four characters of its URL */
  urlEndsWith: string;
  /** ISO 8601 UTC with milliseconds */
  createdAt: string;
  /** off: it is told nothing until it is resumed */
  state: 'active' | 'off';
  /** For how long it has been so */
  since: string;
  /** Absent where nothing was delivered yet */
  lastDeliveryAt?: string;
  /** Since when nothing that was tried was delivered; absent where the last was */
  failingSince?: string;
  /** Why it fails, or is off */
  reason?: string;
  /** When it is tried again, where it waits for that */
  nextTryAt?: string;
  /** Events that it has not been told yet; 1,000 stands for that many or more */
  lag: number;
}

export interface WebhookTest {
  delivered: boolean;
  /** What was answered; absent where nothing was */
  status?: number;
  /** Why it was not delivered */
  reason?: string;
}

export interface WebhookTested {
  success: true;
  /** What was done, for a person */
  message: string;
  /** For GET /operations/{id}; a text to be given back as it is */
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
  /** Whether the game is started again at once; without it, it stays away until DELETE /drain */
  restart?: boolean | undefined;
  /** How long it waits at the most; 240 for empty and 30 for day-end where nothing is said */
  minutes?: number | undefined;
  /** How long the countdown is; 60 where nothing is said */
  seconds?: number | undefined;
  /** Why, for the players */
  message?: string | undefined;
}

/** What `createFarm` takes. */
export interface CreateFarmParameters {
  /** The farm's name */
  farmName?: string | undefined;
  /** A built-in type's index, or a mod farm's id */
  farmType?: number | string | undefined;
  /** What goods are sold for, as a part of the usual price */
  profitMargin?: number | undefined;
  /** How many cabins stand from the first day on */
  startingCabins?: number | undefined;
  /** Whether monsters come at night; auto: as the type of the farm has it */
  spawnMonstersAtNight?: 'true' | 'false' | 'auto' | undefined;
  /** Whether the community center's bundles are remixed */
  remixBundles?: boolean | undefined;
  /** Whether the rewards in the mines are remixed */
  remixMines?: boolean | undefined;
  /** Whether the community center can surely be completed in the first year */
  communityCenterYear1?: boolean | undefined;
  /** Whether the first cabins stand close together */
  cabinLayoutNearby?: boolean | undefined;
  /** Whether chance works as in older versions of the game */
  useLegacyRandom?: boolean | undefined;
  /** Where the farm's chance comes from; without one it is random */
  randomSeed?: bigint | string | undefined;
  /** The pet: 0 to 4 are cats, 5 to 9 dogs, anything else is none */
  petBreed?: number | undefined;
  /** The pet's name */
  petName?: string | undefined;
  /** Whether the cave grows mushrooms; otherwise it has fruit bats */
  mushroomCave?: boolean | undefined;
  /** Whether the community center becomes the company's warehouse */
  buyJoja?: boolean | undefined;
  /** What it waits for, as POST /drain does; now where nothing is said */
  when?: 'now' | 'empty' | 'day-end' | undefined;
  /** How long it waits at the most; 240 for empty and 30 for day-end where nothing is said */
  minutes?: number | undefined;
  /** How long the countdown is where somebody is there; 60 where nothing is said */
  seconds?: number | undefined;
  /** Why, for the players */
  message?: string | undefined;
  /** Go on where the farm that is played cannot be backed up before */
  force?: boolean | undefined;
}

/** What `loadFarm` takes. */
export interface LoadFarmParameters {
  /** Which one */
  id: string;
  /** What it waits for, as POST /drain does; now where nothing is said */
  when?: 'now' | 'empty' | 'day-end' | undefined;
  /** How long it waits at the most; 240 for empty and 30 for day-end where nothing is said */
  minutes?: number | undefined;
  /** How long the countdown is where somebody is there; 60 where nothing is said */
  seconds?: number | undefined;
  /** Why, for the players */
  message?: string | undefined;
  /** Go on where the farm that is played cannot be backed up before */
  force?: boolean | undefined;
}

/** What `getSamples` takes. */
export interface GetSamplesParameters {
  /** Where it begins; 24 hours before its end where nothing is said. A step that has begun is taken whole */
  from?: Date | string | undefined;
  /** Where it ends; now where nothing is said */
  to?: Date | string | undefined;
  /** What is put together; days are those of UTC. Where nothing is said, the finest that gives 1500 points at the most; more than 12000 are refused */
  step?: 'minute' | 'hour' | 'day' | undefined;
}

/** What `getAudit` takes. */
export interface GetAuditParameters {
  /** Only lines behind the one of this number, or from this time on; the oldest first */
  after?: number | string | undefined;
  /** Only lines before the one of this number, or before this time */
  before?: number | string | undefined;
  /** Only what this one did: the name of a key, `owner` for API_KEY, `open` on a server without a key */
  actor?: string | undefined;
  /** Only this: an operationId of this document, or `authenticate` for wrong keys */
  action?: string | undefined;
  /** Only what ended so */
  outcome?: 'applied' | 'refused' | 'void' | 'unknown' | 'failed' | 'denied' | undefined;
  /** How many at the most; 100 where nothing is said */
  limit?: number | undefined;
}

/** What `grantAdmin` takes. */
export type GrantAdminParameters =
  | {
      /** The name, in any case; it may lag behind a join. Exactly one of name and playerId must be given. */
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
  /** What is shown, without control characters; beyond 450 characters it is cut and ends in `…` */
  message: string;
}

/** What `kickPlayer` takes. */
export type KickPlayerParameters =
  | {
      /** The name, in any case; it may lag behind a join. Exactly one of name and playerId must be given. */
      name: string;
      playerId?: undefined;
      /** Why, shown to the player; cut where it is long */
      reason?: string | undefined;
    }
  | {
      name?: undefined;
      /** The stable id, better for automation. Exactly one of name and playerId must be given. */
      playerId: bigint | string;
      /** Why, shown to the player; cut where it is long */
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
      /** Why, shown to the player; cut where it is long */
      reason?: string | undefined;
      /** When it ends: after so many days or hours, at the beginning of a day in UTC, or at an instant; never where nothing is said */
      until?: string | undefined;
      /** Also where it may concern others: an address that is private, that another player online shares, or a wide network. Behind the proxy of Docker everybody has the address of its gateway */
      force?: boolean | undefined;
    }
  | {
      name?: undefined;
      /** The stable id of a farmhand. Exactly one of name, playerId, identity and address must be given. */
      playerId: bigint | string;
      identity?: undefined;
      address?: undefined;
      /** Why, shown to the player; cut where it is long */
      reason?: string | undefined;
      /** When it ends: after so many days or hours, at the beginning of a day in UTC, or at an instant; never where nothing is said */
      until?: string | undefined;
      /** Also where it may concern others: an address that is private, that another player online shares, or a wide network. Behind the proxy of Docker everybody has the address of its gateway */
      force?: boolean | undefined;
    }
  | {
      name?: undefined;
      playerId?: undefined;
      /** Who comes with this id through the platform or the network: the digits on the line `Client connected via …` in the log. Whether it is a platform id or a network id, its range tells. Exactly one of name, playerId, identity and address must be given. */
      identity: bigint | string;
      address?: undefined;
      /** Why, shown to the player; cut where it is long */
      reason?: string | undefined;
      /** When it ends: after so many days or hours, at the beginning of a day in UTC, or at an instant; never where nothing is said */
      until?: string | undefined;
      /** Also where it may concern others: an address that is private, that another player online shares, or a wide network. Behind the proxy of Docker everybody has the address of its gateway */
      force?: boolean | undefined;
    }
  | {
      name?: undefined;
      playerId?: undefined;
      identity?: undefined;
      /** Who comes from this address or network by direct IP. Exactly one of name, playerId, identity and address must be given. */
      address: string;
      /** Why, shown to the player; cut where it is long */
      reason?: string | undefined;
      /** When it ends: after so many days or hours, at the beginning of a day in UTC, or at an instant; never where nothing is said */
      until?: string | undefined;
      /** Also where it may concern others: an address that is private, that another player online shares, or a wide network. Behind the proxy of Docker everybody has the address of its gateway */
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
      /** Who comes with this id through the platform or the network: the digits on the line `Client connected via …` in the log. Whether it is a platform id or a network id, its range tells. Exactly one of name, playerId, identity and address must be given. */
      identity: bigint | string;
      address?: undefined;
    }
  | {
      id?: undefined;
      name?: undefined;
      playerId?: undefined;
      identity?: undefined;
      /** Who comes from this address or network by direct IP. Exactly one of name, playerId, identity and address must be given. */
      address: string;
    };

/** What `importBans` takes. */
export interface ImportBansParameters {
  /** The rows; at most 10000 characters a request */
  rows: string;
  /** Into which; bans where nothing is said */
  list?: 'bans' | 'allowlist' | undefined;
  /** Also where it may concern others: an address that is private, that another player online shares, or a wide network. Behind the proxy of Docker everybody has the address of its gateway */
  force?: boolean | undefined;
  /** Only say what would become of them */
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
      /** When it ends: after so many days or hours, at the beginning of a day in UTC, or at an instant; never where nothing is said */
      until?: string | undefined;
      /** Also where it may concern others: an address that is private, that another player online shares, or a wide network. Behind the proxy of Docker everybody has the address of its gateway */
      force?: boolean | undefined;
    }
  | {
      name?: undefined;
      /** The stable id of a farmhand. Exactly one of name, playerId, identity and address must be given. */
      playerId: bigint | string;
      identity?: undefined;
      address?: undefined;
      /** When it ends: after so many days or hours, at the beginning of a day in UTC, or at an instant; never where nothing is said */
      until?: string | undefined;
      /** Also where it may concern others: an address that is private, that another player online shares, or a wide network. Behind the proxy of Docker everybody has the address of its gateway */
      force?: boolean | undefined;
    }
  | {
      name?: undefined;
      playerId?: undefined;
      /** Who comes with this id through the platform or the network: the digits on the line `Client connected via …` in the log. Whether it is a platform id or a network id, its range tells. Exactly one of name, playerId, identity and address must be given. */
      identity: bigint | string;
      address?: undefined;
      /** When it ends: after so many days or hours, at the beginning of a day in UTC, or at an instant; never where nothing is said */
      until?: string | undefined;
      /** Also where it may concern others: an address that is private, that another player online shares, or a wide network. Behind the proxy of Docker everybody has the address of its gateway */
      force?: boolean | undefined;
    }
  | {
      name?: undefined;
      playerId?: undefined;
      identity?: undefined;
      /** Who comes from this address or network by direct IP. Exactly one of name, playerId, identity and address must be given. */
      address: string;
      /** When it ends: after so many days or hours, at the beginning of a day in UTC, or at an instant; never where nothing is said */
      until?: string | undefined;
      /** Also where it may concern others: an address that is private, that another player online shares, or a wide network. Behind the proxy of Docker everybody has the address of its gateway */
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
      /** Who comes with this id through the platform or the network: the digits on the line `Client connected via …` in the log. Whether it is a platform id or a network id, its range tells. Exactly one of name, playerId, identity and address must be given. */
      identity: bigint | string;
      address?: undefined;
    }
  | {
      id?: undefined;
      name?: undefined;
      playerId?: undefined;
      identity?: undefined;
      /** Who comes from this address or network by direct IP. Exactly one of name, playerId, identity and address must be given. */
      address: string;
    };

/** What `deleteFarmhand` takes. */
export type DeleteFarmhandParameters =
  | {
      /** The name, in any case; it may lag behind a join. Exactly one of name and playerId must be given. */
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
      /** The name, in any case; it may lag behind a join. Exactly one of name and playerId must be given. */
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
      /** The name, in any case; it may lag behind a join. Exactly one of name and playerId must be given. */
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
  /** Where cabins stand */
  cabinStrategy?: 'CabinStack' | 'FarmhouseStack' | 'None' | undefined;
  /** Whether each player has money of their own */
  separateWallets?: boolean | undefined;
  /** What becomes of cabins that stand already */
  existingCabinBehavior?: 'KeepExisting' | 'MoveToStack' | undefined;
  /** Whether the game logs more */
  verboseLogging?: boolean | undefined;
  /** Whether players may join by direct IP. Needs the scope `admin` */
  allowIpConnections?: boolean | undefined;
  /** Whether a farmhand is kept for who first took it. Needs the scope `admin` */
  enforceFarmhandOwnership?: boolean | undefined;
  /** Whether players who log in wait together or each alone */
  lobbyMode?: 'Shared' | 'Individual' | undefined;
  /** The layout of that waiting room */
  activeLobbyLayout?: string | undefined;
  /** Accounts that become admin when they join, by either network. Ids between commas; `none`, or nothing, empties the list.. Needs the scope `admin` */
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
  /** How many at the most; 100 where nothing is said */
  limit?: number | undefined;
  /** The operationId of one of them, for those that are older */
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
  /** What is said, without control characters; beyond 450 characters it is cut and ends in `…` */
  message: string;
}

/** What `createBackup` takes. */
export interface CreateBackupParameters {
  /** Wait for the next save, and copy that; the last one where nothing is said */
  fresh?: boolean | undefined;
  /** What it is called in lists */
  note?: string | undefined;
  /** The rule of BACKUP_KEEP never takes it away */
  keep?: boolean | undefined;
  /** With keys, webhooks and the audit: for another machine, to be kept as API_KEY is. Needs the scope `admin` */
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
  /** What of it is restored; saves, owners and bans where nothing is said */
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
      /** What lists, logs and the audit call it; no other schedule has the name */
      name: string;
      /** What is done */
      action: 'save' | 'announce' | 'rendering' | 'backup' | 'drain' | 'update';
      /** When, as cron says it. Exactly one of cron and emptyMinutes must be given. */
      cron: string;
      emptyMinutes?: undefined;
      /** By which clock `cron` goes; UTC where nothing is said */
      timeZone?: string | undefined;
      /** What becomes of what was due by `cron` while this service was off or the machine asleep. skip: nothing, until it is due again; once: it is done once, late. skip where nothing is said */
      missed?: 'skip' | 'once' | undefined;
      /** Of the action rendering: Frames a second; 0 switches rendering off */
      fps?: number | undefined;
      /** Of the action backup: Wait for the next save, and copy that; the last one where nothing is said */
      fresh?: boolean | undefined;
      /** Of the action backup: What it is called in lists */
      note?: string | undefined;
      /** Of the action backup: The rule of BACKUP_KEEP never takes it away */
      keep?: boolean | undefined;
      /** Of the action backup: With keys, webhooks and the audit: for another machine, to be kept as API_KEY is. Needs the scope `admin` */
      all?: boolean | undefined;
      /** Of the actions drain and update: What it waits for; day-end where nothing is said */
      when?: 'now' | 'empty' | 'day-end' | undefined;
      /** Of the action drain: Whether the game is started again at once; without it, it stays away until DELETE /drain */
      restart?: boolean | undefined;
      /** Of the actions drain and update: How long it waits at the most; 240 for empty and 30 for day-end where nothing is said */
      minutes?: number | undefined;
      /** Of the actions drain and update: How long the countdown is; 60 where nothing is said */
      seconds?: number | undefined;
      /** Of the action announce: What is shown, without control characters; beyond 450 characters it is cut and ends in `…`. Of the actions drain and update: Why, for the players */
      message?: string | undefined;
    }
  | {
      /** What lists, logs and the audit call it; no other schedule has the name */
      name: string;
      /** What is done */
      action: 'save' | 'announce' | 'rendering' | 'backup' | 'drain' | 'update';
      cron?: undefined;
      /** Once each time that nobody has been online for so many minutes. Exactly one of cron and emptyMinutes must be given. */
      emptyMinutes: number;
      /** By which clock `cron` goes; UTC where nothing is said */
      timeZone?: string | undefined;
      /** What becomes of what was due by `cron` while this service was off or the machine asleep. skip: nothing, until it is due again; once: it is done once, late. skip where nothing is said */
      missed?: 'skip' | 'once' | undefined;
      /** Of the action rendering: Frames a second; 0 switches rendering off */
      fps?: number | undefined;
      /** Of the action backup: Wait for the next save, and copy that; the last one where nothing is said */
      fresh?: boolean | undefined;
      /** Of the action backup: What it is called in lists */
      note?: string | undefined;
      /** Of the action backup: The rule of BACKUP_KEEP never takes it away */
      keep?: boolean | undefined;
      /** Of the action backup: With keys, webhooks and the audit: for another machine, to be kept as API_KEY is. Needs the scope `admin` */
      all?: boolean | undefined;
      /** Of the actions drain and update: What it waits for; day-end where nothing is said */
      when?: 'now' | 'empty' | 'day-end' | undefined;
      /** Of the action drain: Whether the game is started again at once; without it, it stays away until DELETE /drain */
      restart?: boolean | undefined;
      /** Of the actions drain and update: How long it waits at the most; 240 for empty and 30 for day-end where nothing is said */
      minutes?: number | undefined;
      /** Of the actions drain and update: How long the countdown is; 60 where nothing is said */
      seconds?: number | undefined;
      /** Of the action announce: What is shown, without control characters; beyond 450 characters it is cut and ends in `…`. Of the actions drain and update: Why, for the players */
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
  /** Only what came behind this cursor, or from this time on; the oldest first come first */
  after?: string | undefined;
  /** Only what came before the event of this cursor, or before this time */
  before?: string | undefined;
  /** Only events of these topics; where nothing is said, of all that the key may hear */
  topics?: string | undefined;
  /** How many at the most; 100 where nothing is said */
  limit?: number | undefined;
  /** Where there is nothing yet: answer as soon as there is, or after so many seconds without. Not together with `before` */
  wait?: number | undefined;
}

/** What `listKeys` takes. */
export interface ListKeysParameters {
  /** Whether those that were revoked or have expired are listed, too */
  ended?: boolean | undefined;
}

/** What `createKey` takes. */
export interface CreateKeyParameters {
  /** What the record calls whoever uses it; no other key that has not ended has the name */
  name: string;
  /** What it is good for, between commas; none implies another, but admin is good for everything */
  scopes: string;
  /** When it ends: after so many days or hours, at the beginning of a day in UTC, or at an instant; never where nothing is said */
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
      /** For how long the secret before still works; 3600 where nothing is said */
      graceSeconds?: number | undefined;
    }
  | {
      id?: undefined;
      /** Its name, in any case. Exactly one of id and name must be given. */
      name: string;
      /** For how long the secret before still works; 3600 where nothing is said */
      graceSeconds?: number | undefined;
    };

/** What `createWebhook` takes. */
export interface CreateWebhookParameters {
  /** Where to; a secret. Private addresses only where WEBHOOK_ALLOW lists them; redirects are not followed */
  url: string;
  /** What it is called in lists, logs and metrics; no other webhook has the name */
  name: string;
  /** What it is told of, between commas */
  topics: string;
  /** In whose words; standard where nothing is said */
  template?: 'standard' | 'discord' | 'slack' | 'ntfy' | undefined;
  /** Whether it is told platform and network identities, and addresses; false where nothing is said */
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
  /** Only of this webhook */
  id?: string | undefined;
  /** Only those that ended so */
  outcome?: 'delivered' | 'givenUp' | undefined;
  /** Only those before the one of this number */
  before?: number | undefined;
  /** How many at the most; 100 where nothing is said */
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
   * How the game's process fares
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
   * The day goes on. While somebody plays the game cannot save: then it is 409, and the end of the day does it. Needs the scope `operate`.
   *
   * `POST /save`
   *
   * Errors of its own: `command-failed`, `players-online`
   */
  saveGame(parameters?: Record<string, never>, options?: WriteOptions): Promise<GameSaved>;

  /**
   * What the game that is started here has printed last
   *
   * Up to 500 lines, the newest last, in the words of the game and its mods: nobody here vouches for them, and they may tell who players are and from where they come. What would move a cursor is taken out. Needs the scope `moderate`.
   *
   * `GET /game/log`
   *
   * Errors of its own: `not-supported-by-game`
   */
  getGameLog(parameters?: Record<string, never>, options?: CallOptions): Promise<GameLog>;

  /**
   * What the game shows, as a picture
   *
   * A picture stands for a few seconds: whoever asks meanwhile gets the same one. Needs the scope `read`.
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
   * Whether players are being seen off, and what of the day would be lost by stopping the game now
   *
   * Needs the scope `read`.
   *
   * `GET /drain`
   */
  getDrain(parameters?: Record<string, never>, options?: CallOptions): Promise<Drain>;

  /**
   * See players off, save, and stop or restart the game
   *
   * Nobody new comes in from now on, and who is there is told. `when=now` counts down; `empty` waits until nobody is there; `day-end` until the day has ended and is saved: both for `minutes` at the most, and count down then. At the end who is left is disconnected, the game saves and is stopped. The answer is 202: GET /operations/{id} tells how it ends. Needs the scope `operate`.
   *
   * `POST /drain`
   *
   * Errors of its own: `drain-under-way`, `game-running`
   */
  startDrain(parameters: StartDrainParameters, options?: WriteOptions): Promise<UnderWay>;

  /**
   * Let players in again: ends a drain, or starts the game that one has stopped
   *
   * Needs the scope `operate`.
   *
   * `DELETE /drain`
   *
   * Errors of its own: `drain-not-found`
   */
  cancelDrain(parameters?: Record<string, never>, options?: WriteOptions): Promise<DrainEnded>;

  /**
   * The saves that the game has, and which of them is played
   *
   * Needs the scope `read`.
   *
   * `GET /farms`
   *
   * Errors of its own: `command-failed`, `game-unavailable`, `not-supported-by-game`
   */
  listFarms(parameters?: Record<string, never>, options?: CallOptions): Promise<Farms>;

  /**
   * Make a farm, and play it from now on
   *
   * What is not named is as the settings file's game section says. Who is there is told and seen off as by POST /drain, the farm that is played is saved and backed up, and only then the game goes on to the other one. The answer is 202: GET /operations/{id} shows each step, and names the farm that is loaded. The old farm stays among GET /farms. Needs the scope `admin`.
   *
   * `POST /farms`
   *
   * Errors of its own: `backup-failed`, `backup-under-way`, `backups-off`, `command-failed`, `drain-under-way`, `no-room`, `no-save`, `players-online`
   */
  createFarm(parameters?: CreateFarmParameters, options?: WriteOptions): Promise<UnderWay>;

  /**
   * Play another farm from now on
   *
   * Who is there is told and seen off as by POST /drain, the farm that is played is saved and backed up, and only then the game goes on to the other one. The answer is 202: GET /operations/{id} shows each step, and names the farm that is loaded. Needs the scope `admin`.
   *
   * `POST /farms/load`
   *
   * Errors of its own: `backup-failed`, `backup-under-way`, `backups-off`, `command-failed`, `drain-under-way`, `farm-not-found`, `no-room`, `no-save`, `players-online`
   */
  loadFarm(parameters: LoadFarmParameters, options?: WriteOptions): Promise<UnderWay>;

  /**
   * How the server fared: players, pace and memory over time
   *
   * A sample is kept of each minute, for as long as `SAMPLES_KEEP_DAYS` says. The answer has a list for each thing that is measured, as plots take them: its first value is of the step that begins at `from`, the next of the step after that, and null is a time of which nothing is known. Needs the scope `read`.
   *
   * `GET /samples`
   *
   * Errors of its own: `invalid-parameter`
   */
  getSamples(parameters?: GetSamplesParameters, options?: CallOptions): Promise<Samples>;

  /**
   * Who did what, and who was kept from it
   *
   * A line for each write, by whichever door, kept before it was answered. The newest first; with `after` the oldest first, so that the last number of a page is the `after` of the next. A line never changes: where an outcome becomes known later there is a second one. Of what the chat says there is never a word here. Kept for `AUDIT_KEEP_DAYS`. Needs the scope `admin`.
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
   * The code that players join by
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
   * Show everybody in the game a line of the server
   *
   * Marked as the server’s, so that nobody takes it for a player’s; never carried out as a command. Needs the scope `operate`.
   *
   * `POST /announcements`
   *
   * Errors of its own: `command-failed`
   */
  announce(parameters: AnnounceParameters, options?: WriteOptions): Promise<Announced>;

  /**
   * Send a player away, who may come back
   *
   * Whoever is to stay away is banned instead. Needs the scope `moderate`.
   *
   * `POST /players/kick`
   *
   * Errors of its own: `ambiguous-name`, `command-failed`, `player-not-found`, `player-offline`
   */
  kickPlayer(parameters: KickPlayerParameters, options?: WriteOptions): Promise<PlayerKicked>;

  /**
   * Who is kept out, why and until when
   *
   * In the order in which they were banned; those whose time is over are not listed. Needs the scope `moderate`.
   *
   * `GET /bans`
   *
   * Errors of its own: `bans-unreadable`
   */
  listBans(parameters?: Record<string, never>, options?: CallOptions): Promise<Bans>;

  /**
   * Keep somebody out
   *
   * A player: by every identity that is known of that farmhand, and from the farmhand itself; an identity, by the door that it is of; an address or a network, by direct IP. Whoever is on the farm is sent away. Banned again, the reason and the end are what was said last. Needs the scope `moderate`.
   *
   * `POST /bans`
   *
   * Errors of its own: `ambiguous-name`, `ban-needs-force`, `bans-unreadable`, `farmhand-not-found`, `too-many-bans`
   */
  addBan(parameters: AddBanParameters, options?: WriteOptions): Promise<PlayerBanned>;

  /**
   * Keep somebody out no longer
   *
   * Needs the scope `moderate`.
   *
   * `DELETE /bans`
   *
   * Errors of its own: `ambiguous-name`, `ban-not-found`, `bans-unreadable`
   */
  removeBan(parameters: RemoveBanParameters, options?: WriteOptions): Promise<BanLifted>;

  /**
   * Take rows into one of the two lists
   *
   * For `control-api bans import`, which sends a file bit by bit. Rows as GET /bans and GET /allowlist list them; whoever is on the list already stays as they are. A row that cannot be read is told and left out. With dryRun nothing is changed. Needs the scope `moderate`.
   *
   * `POST /bans/import`
   *
   * Errors of its own: `bans-unreadable`, `too-many-bans`
   */
  importBans(parameters: ImportBansParameters, options?: WriteOptions): Promise<BansImported>;

  /**
   * Who alone comes in, where there is such a list
   *
   * Needs the scope `moderate`.
   *
   * `GET /allowlist`
   *
   * Errors of its own: `bans-unreadable`
   */
  listAllowed(parameters?: Record<string, never>, options?: CallOptions): Promise<Allowlist>;

  /**
   * Let somebody in, and from the first on nobody else
   *
   * Who is on the farm stays. A player comes in by each door that is known of that farmhand; who is banned stays out. Needs the scope `moderate`.
   *
   * `POST /allowlist`
   *
   * Errors of its own: `ambiguous-name`, `ban-needs-force`, `bans-unreadable`, `farmhand-not-found`, `too-many-bans`
   */
  allowPlayer(parameters: AllowPlayerParameters, options?: WriteOptions): Promise<PlayerAllowed>;

  /**
   * Take somebody from the list; without the last, everybody comes in again
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
   * With it go its cabin, what is in it, and its owner. With dryRun nothing is changed. Needs the scope `moderate`.
   *
   * `DELETE /farmhands`
   *
   * Errors of its own: `ambiguous-name`, `backup-failed`, `backup-under-way`, `backups-off`, `command-failed`, `farmhand-not-found`, `farmhand-online`, `no-room`, `no-save`
   */
  deleteFarmhand(parameters: DeleteFarmhandParameters, options?: WriteOptions): Promise<FarmhandDeleted>;

  /**
   * Give a farmhand to another identity
   *
   * For somebody who now comes through another door. Online and fresh farmhands, too: nobody is sent away, and a fresh one then waits for its owner. Needs the scope `moderate`.
   *
   * `POST /farmhands/rebind`
   *
   * Errors of its own: `ambiguous-name`, `farmhand-not-found`, `ownership-unwritable`
   */
  rebindFarmhand(parameters: RebindFarmhandParameters, options?: WriteOptions): Promise<FarmhandRebound>;

  /**
   * Let whoever comes next have a farmhand
   *
   * The next player who takes it through the platform or the network owns it; one who comes by address returns it to all who do. A fresh slot is open to everybody again. Needs the scope `moderate`.
   *
   * `POST /farmhands/release`
   *
   * Errors of its own: `ambiguous-name`, `farmhand-not-found`, `ownership-unwritable`
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
   * Those named are changed; comments, unknown keys and everything else in the file stay as they are, and the file as it was is kept beside it. It works without a game, too, which hears of it when it connects. Needs the scope `operate`.
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
   * What became of the last commands
   *
   * The newest first, each as it is alone. Needs the scope `read`.
   *
   * `GET /operations`
   *
   * Errors of its own: `invalid-parameter`, `operation-not-found`
   */
  listOperations(parameters?: ListOperationsParameters, options?: CallOptions): Promise<Operations>;

  /**
   * What became of a command
   *
   * Known for 24 hours or 1,000 operations, over restarts too. Needs the scope `read`.
   *
   * `GET /operations/{id}`
   *
   * Errors of its own: `invalid-parameter`, `operation-not-found`
   */
  getOperation(parameters: GetOperationParameters, options?: CallOptions): Promise<Operation>;

  /**
   * Say one line in the game
   *
   * Shown to the players as text, never carried out as a command, and answered once the game has shown it. The same as `chat_send` over /ws, for who says something now and then. Needs the scope `chat`.
   *
   * `POST /chat`
   *
   * Errors of its own: `command-failed`
   */
  sendChat(parameters: SendChatParameters, options?: WriteOptions): Promise<ChatSent>;

  /**
   * The backups that lie in BACKUP_DIR, and what there is room for
   *
   * The newest first. What looks like a backup and cannot be read as one is listed apart, with the reason. Needs the scope `read`.
   *
   * `GET /backups`
   *
   * Errors of its own: `backups-off`
   */
  listBackups(parameters?: Record<string, never>, options?: CallOptions): Promise<Backups>;

  /**
   * Make a backup of the last save
   *
   * The game goes on meanwhile. It is read back before it counts. Where it takes longer than 25 seconds the answer is 202, and GET /operations/{id} tells how it ends. Needs the scope `operate`.
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
   * Go back to a backup
   *
   * The present farm is backed up first. The game is stopped and started again where this service runs it; where it does not, stop it first. What happened since the backup is lost to the players. The answer is 202 where it takes longer than 25 seconds: GET /operations/{id} shows each step. Needs the scope `admin`.
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
   * What is done by itself, when it is due next, and how it went last
   *
   * In the order in which they were made. Needs the scope `operate`.
   *
   * `GET /schedules`
   */
  listSchedules(parameters?: Record<string, never>, options?: CallOptions): Promise<Schedules>;

  /**
   * Have something done by itself, at set times or when the farm has been empty for a while
   *
   * It acts with the right of the key that makes it, and is off once that key has ended. What an action needs is given beside it, in the same query: `save`: have the game save; `announce`: show everybody in the game a line of the server; `rendering`: set the render rate; `backup`: make a backup of the last save; `drain`: see players off, save, and stop or restart the game; `update`: have the sidecar look for a newer build of the game, and where there is one, see players off, back the farm up, put it in place and start the game again. Needs the scope `operate`.
   *
   * `POST /schedules`
   *
   * Errors of its own: `no-sidecar`, `schedule-name-taken`, `too-many-schedules`
   */
  createSchedule(parameters: CreateScheduleParameters, options?: WriteOptions): Promise<ScheduleMade>;

  /**
   * Have it done no more
   *
   * What it is doing now goes on. Needs the scope `operate`.
   *
   * `DELETE /schedules`
   *
   * Errors of its own: `schedule-not-found`
   */
  deleteSchedule(parameters: DeleteScheduleParameters, options?: WriteOptions): Promise<ScheduleDeleted>;

  /**
   * Do now what it does, whenever it is due
   *
   * When it is due next stays as it is. `run` says how it went; where that takes more than 20 seconds it has no outcome yet, and GET /schedules tells. Needs the scope `operate`.
   *
   * `POST /schedules/run`
   *
   * Errors of its own: `schedule-not-found`, `schedule-off`, `schedule-running`
   */
  runSchedule(parameters: RunScheduleParameters, options?: WriteOptions): Promise<ScheduleRunNow>;

  /**
   * What happened, page by page, or as it happens
   *
   * In the order in which it happened, kept over restarts for `EVENTS_KEEP_DAYS`. Without `after` the newest; with it what came behind, so that `cursor` of one answer is the `after` of the next, and nothing is missed or comes twice. With `wait` an answer without events waits for the first one. `gap` says that some of what was asked for is gone. A key with the scope `chat` alone hears the topic `chat`; who may `moderate` sees the identities of players, others do not. Needs the scope `read` or `chat`.
   *
   * `GET /events`
   *
   * Errors of its own: `invalid-parameter`, `too-many-connections`
   */
  getEvents(parameters?: GetEventsParameters, options?: CallOptions): Promise<Events>;

  /**
   * Whose key this is, and what it is good for
   *
   * For every key. Where the server has no API_KEY everybody is `open`, and may do everything. Needs the scope `read` or `chat` or `operate` or `moderate` or `admin`.
   *
   * `GET /whoami`
   */
  getCaller(parameters?: Record<string, never>, options?: CallOptions): Promise<Caller>;

  /**
   * The keys that there are, and what each is good for
   *
   * The newest first, and never what a key is: that is shown once, to who makes it. Needs the scope `admin`.
   *
   * `GET /keys`
   *
   * Errors of its own: `invalid-parameter`
   */
  listKeys(parameters?: ListKeysParameters, options?: CallOptions): Promise<Keys>;

  /**
   * Make a key that can do less than API_KEY
   *
   * The answer has the key in `secret`, this once: only its SHA-256 is kept. Sent again under the same Idempotency-Key it answers the same key with `secretShown` in place of the secret; if that was lost, POST /keys/rotate makes another. It needs API_KEY to be set: without it everybody may do everything. Needs the scope `admin`.
   *
   * `POST /keys`
   *
   * Errors of its own: `key-name-taken`, `keys-need-api-key`, `too-many-keys`
   */
  createKey(parameters: CreateKeyParameters, options?: WriteOptions): Promise<KeyMade>;

  /**
   * Take a key back
   *
   * From the answer on it is good for nothing, and what it had open is closed. Needs the scope `admin`.
   *
   * `DELETE /keys`
   *
   * Errors of its own: `key-not-found`
   */
  revokeKey(parameters: RevokeKeyParameters, options?: WriteOptions): Promise<KeyRevoked>;

  /**
   * Give a key a new secret
   *
   * Its id, name, scopes and expiry stay. The secret before works for the grace, so that whoever uses it can change it; the one before that ends at once. `graceSeconds=0` is for a secret that has leaked. Needs the scope `admin`.
   *
   * `POST /keys/rotate`
   *
   * Errors of its own: `key-not-found`, `keys-need-api-key`
   */
  rotateKey(parameters: RotateKeyParameters, options?: WriteOptions): Promise<KeyRotated>;

  /**
   * The webhooks that there are, and how each stands
   *
   * In the order in which they were made. A URL is a secret: its host and end are shown. Needs the scope `admin`.
   *
   * `GET /webhooks`
   */
  listWebhooks(parameters?: Record<string, never>, options?: CallOptions): Promise<Webhooks>;

  /**
   * Have what happens told to a URL
   *
   * From now on, in order and at least once, over restarts of either side: what is told twice has the same `webhook-id`. Of the template `standard` the answer has what messages are signed with in `secret`, this once; sent again under the same Idempotency-Key it has `secretShown` in its place. Needs the scope `admin`.
   *
   * `POST /webhooks`
   *
   * Errors of its own: `too-many-webhooks`, `webhook-name-taken`, `webhook-url-refused`
   */
  createWebhook(parameters: CreateWebhookParameters, options?: WriteOptions): Promise<WebhookMade>;

  /**
   * Tell a URL nothing any more
   *
   * What it has not been told yet it never is, and its deliveries are forgotten. Needs the scope `admin`.
   *
   * `DELETE /webhooks`
   *
   * Errors of its own: `webhook-not-found`
   */
  deleteWebhook(parameters: DeleteWebhookParameters, options?: WriteOptions): Promise<WebhookDeleted>;

  /**
   * Switch a webhook on again, or have one that fails tried now
   *
   * One that was switched off goes on where it stopped: everything since is told in order, and what is not kept any more as one `gap`. Needs the scope `admin`.
   *
   * `POST /webhooks/resume`
   *
   * Errors of its own: `webhook-not-found`
   */
  resumeWebhook(parameters: ResumeWebhookParameters, options?: WriteOptions): Promise<WebhookResumed>;

  /**
   * Send a message of no meaning now, and say what became of it
   *
   * Also to one that is off. It counts neither as delivered nor as a failure. Needs the scope `admin`.
   *
   * `POST /webhooks/test`
   *
   * Errors of its own: `webhook-not-found`
   */
  testWebhook(parameters: TestWebhookParameters, options?: WriteOptions): Promise<WebhookTested>;

  /**
   * What was delivered, and what was given up and why
   *
   * The newest first. Of each webhook the last 200 that were delivered are kept and the last 1,000 that were given up, for 30 days. Needs the scope `admin`.
   *
   * `GET /webhooks/deliveries`
   *
   * Errors of its own: `invalid-parameter`
   */
  listDeliveries(parameters?: ListDeliveriesParameters, options?: CallOptions): Promise<Deliveries>;
}
