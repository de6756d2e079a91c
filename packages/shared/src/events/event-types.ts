import type { Needed } from '../scopes.ts';

/** What readers of events choose by, and what a key has to be good for that hears of them. */
export const topics = {
  chat: { means: 'The public chat of players', hear: ['read', 'chat'] },
  players: { means: 'Who joined, who left, and who was refused and why', hear: 'read' },
  farm: { means: 'Days, saves, and which farm is loaded', hear: 'read' },
  farmhands: { means: 'Farmhands and their owners', hear: 'read' },
  invites: { means: 'Invite codes, and each step to them', hear: 'read' },
  game: { means: 'The state of the game: connected, lost, crashed, frozen', hear: 'read' },
  operations: { means: 'How each requested change ended', hear: 'read' },
  backups: { means: 'Backups: made, deleted, restored', hear: 'read' },
  schedules: { means: 'Runs of schedules, failed and skipped ones, too', hear: 'read' },
  sidecar: { means: 'The platform session and the game’s files', hear: 'read' },
  server: { means: 'This service itself', hear: 'read' },
  webhooks: { means: 'Webhooks that were switched off', hear: 'admin' },
  state: {
    means:
      'Which reads have a new answer: for web pages. Never stored, and sent only to clients that name this topic. A page of `GET /events` after a place cannot tell which, and ends with one that names all of them',
    hear: 'read',
    isLive: true,
  },
} as const satisfies Record<
  string,
  { readonly means: string; readonly hear: Needed; readonly isLive?: true }
>;

export type Topic = keyof typeof topics;

export const topicNames = Object.keys(topics) as readonly Topic[];

/** Those of which there is a past, and which are meant where none are named. */
export const keptTopicNames = topicNames.filter((topic) => !('isLive' in topics[topic]));

/** Everything that is told, by its topic and what happened; what each says beside stands in `event-data.ts`, which needs a library. */
export const eventTypes = {
  'chat.said': 'A player wrote in the public chat',
  'players.joined': 'A player joined',
  'players.left': 'A player left',
  'players.refused': 'A player was refused a farmhand; once for each attempt',
  'players.turnedAway': 'A player was refused before they saw any farmhand; once for each attempt',
  'players.kicked': 'A player was kicked, and may come back',
  'players.banned': 'Somebody was banned',
  'players.unbanned': 'A ban was lifted, or is over',
  'players.allowed': 'Somebody was added to the allowlist',
  'players.disallowed': 'Somebody was removed from the allowlist',
  'farm.dayStarted': 'A day began',
  'farm.dayEnded': 'A day ended',
  'farm.saved': 'The game saved',
  'farm.loaded': 'Another farm is loaded: an existing one, or a new one',
  'farmhands.customized': 'A player created a farmhand in a slot',
  'farmhands.abandoned': 'A player left a slot without creating a farmhand',
  'farmhands.deleted': 'A farmhand was deleted',
  'farmhands.bound': 'A farmhand has a new owner',
  'farmhands.released': 'A farmhand is free for the next player',
  'invites.step': 'A step to the invite codes has a new state',
  'invites.codes': 'These invite codes work now; without any, no code works',
  'invites.networkSignedIn': 'The game signed in to the cross-platform network',
  'invites.networkSignedOut': 'The game is no longer signed in to the cross-platform network',
  'invites.lobbyOpened': 'The game’s lobby on the cross-platform network is open',
  'invites.lobbyClosed': 'The game’s lobby on the cross-platform network is closed',
  'game.starting': 'The game is being started',
  'game.waiting': 'No game is connected yet',
  'game.connected': 'The game is connected',
  'game.slow': 'The game ticks late; sent once while this lasts',
  'game.frozen': 'The game no longer ticks',
  'game.recovered': 'The game has ticked on time for a while',
  'game.lost': 'The connection to the game was lost or given up',
  'game.crashed': 'The game that this service started exited by itself, and is started again',
  'game.stopped':
    'The game was stopped: this service stops, or a drain, an update or a restore needs it away',
  'operations.ended': 'A requested change has ended, or its outcome is unknown',
  'backups.made': 'A backup was made and verified',
  'backups.failed': 'A backup failed, and nothing of it was kept',
  'backups.deleted': 'A backup was deleted: manually, or by the rule of BACKUP_KEEP',
  'backups.restoring': 'A restore started a new step',
  'backups.restored': 'A backup was restored',
  'backups.restoreFailed': 'A restore failed, and nothing has changed',
  'schedules.ran': 'A schedule ran',
  'schedules.failed': 'A run of a schedule failed, or its outcome is unknown',
  'schedules.skipped':
    'A run of a schedule was skipped: it was missed, or the previous run was still running',
  'schedules.switchedOff': 'A schedule was switched off: the key that created it has ended',
  'sidecar.session': 'The platform session has a new state',
  'sidecar.download': 'The game’s files have a new state, or the platform has another build',
  'server.started': 'This service has started',
  'server.stopping': 'This service is stopping',
  'server.draining': 'A drain started a new step',
  'server.drained': 'A drain ended, and the game is stopped, or back',
  'server.drainEnded': 'A drain was cancelled or failed: players can join again',
  'server.settingsChanged': 'Settings were changed, by a request or in the file',
  'webhooks.switchedOff': 'A webhook was switched off until somebody resumes it',
  'state.changed':
    'These read operations have a new answer; the cursor is the current place in the event log',
} as const satisfies Readonly<Record<`${Topic}.${string}`, string>>;

export type EventType = keyof typeof eventTypes;

export const eventTypeNames = Object.keys(eventTypes) as readonly EventType[];

export function topicOf(type: EventType): Topic {
  return type.slice(0, type.indexOf('.')) as Topic;
}

/** Stands in the place of events that are gone for good. Every reader is told, whatever it chose. */
export const gapType = 'gap';

/** A place in the order of events, as text: `<epoch>-<number of the last event seen>`. */
export const cursorGrammar = /^([a-z0-9]{1,32})-(0|[1-9][0-9]{0,14})$/;
