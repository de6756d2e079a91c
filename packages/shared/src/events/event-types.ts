import type { Needed } from '../scopes.ts';

/** What readers of events choose by, and what a key has to be good for that hears of them. */
export const topics = {
  chat: { means: 'What players say for everybody to hear', hear: ['read', 'chat'] },
  players: { means: 'Who came, who went, and who was kept out and why', hear: 'read' },
  farm: { means: 'Days, saves, and which farm is loaded', hear: 'read' },
  farmhands: { means: 'Farmhands, and whose they are', hear: 'read' },
  invites: { means: 'Invite codes, and each step of the way to them', hear: 'read' },
  game: { means: 'How the game stands: connected, lost, crashed, frozen', hear: 'read' },
  operations: { means: 'How each change ended that somebody asked for', hear: 'read' },
  backups: { means: 'Backups: made, thinned out, restored', hear: 'read' },
  schedules: { means: 'What was done by itself, and what was not', hear: 'read' },
  sidecar: { means: 'The platform session and the game’s files', hear: 'read' },
  server: { means: 'This service itself', hear: 'read' },
  webhooks: { means: 'Webhooks that work no more', hear: 'admin' },
  state: {
    means: 'Which reads would answer otherwise now: for pages. Never kept, and told only to who names it',
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
  'chat.said': 'A player said something, for everybody to hear',
  'players.joined': 'A player came',
  'players.left': 'A player went',
  'players.refused': 'Somebody was kept out of a farmhand; told once a try',
  'players.turnedAway': 'Somebody was turned away before any farmhand was shown to them; told once a try',
  'players.kicked': 'Somebody was sent away, and may come back',
  'players.banned': 'Somebody is kept out from now on',
  'players.unbanned': 'Somebody is not kept out any more: a ban was lifted, or is over',
  'players.allowed': 'Somebody is on the list of those who alone come in',
  'players.disallowed': 'Somebody is not on that list any more',
  'farm.dayStarted': 'A day began',
  'farm.dayEnded': 'A day ended',
  'farm.saved': 'The game saved',
  'farm.loaded': 'Another farm is loaded: an old one, or one that was made just now',
  'farmhands.customized': 'A slot has become somebody’s farmhand',
  'farmhands.abandoned': 'Whoever had taken a slot left it as it was',
  'farmhands.deleted': 'A farmhand is gone',
  'farmhands.bound': 'A farmhand belongs to somebody from now on',
  'farmhands.released': 'A farmhand is for whoever comes next',
  'invites.step': 'A step of the way to the invite codes is in another state',
  'invites.codes': 'These invite codes work from now on; where there is none, none does',
  'invites.networkSignedIn': 'The game signed in to the cross-platform network',
  'invites.networkSignedOut': 'The game is not signed in to the cross-platform network any more',
  'invites.lobbyOpened': 'The game’s lobby on the cross-platform network is open',
  'invites.lobbyClosed': 'The game’s lobby on the cross-platform network is closed',
  'game.starting': 'The game is being started',
  'game.waiting': 'No game is connected yet',
  'game.connected': 'The game is connected',
  'game.slow': 'The game ticks late; while it goes on like that this is told once',
  'game.frozen': 'The game does not tick any more',
  'game.recovered': 'The game has ticked in time for a while',
  'game.lost': 'The connection to the game is lost, or was given up',
  'game.crashed': 'The game that was started here ended by itself, and is started again',
  'game.stopped': 'The game is let go: this service stops, or has it away while a backup is restored',
  'operations.ended': 'A change that somebody asked for has ended, or it is unknown how',
  'backups.made': 'A backup was made, and read back',
  'backups.failed': 'A backup could not be made, and nothing was kept of it',
  'backups.deleted': 'A backup is gone: manually, or by the rule of BACKUP_KEEP',
  'backups.restoring': 'A backup is being restored: one step of it begins',
  'backups.restored': 'A backup was restored',
  'backups.restoreFailed': 'A backup was not restored, and everything is as it was',
  'schedules.ran': 'A schedule has done what it does',
  'schedules.failed': 'A schedule has not done what it does, or it is unknown whether it has',
  'schedules.skipped': 'A schedule was due and not begun: missed, or the one before was still running',
  'schedules.switchedOff': 'A schedule does nothing any more: the key that made it has ended',
  'sidecar.session': 'The platform session stands otherwise',
  'sidecar.download': 'The game’s files stand otherwise, or the platform has another build',
  'server.started': 'This service has started',
  'server.stopping': 'This service is stopping',
  'server.draining': 'Players are being seen off: one step of it begins',
  'server.drained': 'Players were seen off, and the game is stopped, or back',
  'server.drainEnded': 'Nobody is seen off any more: players come in again',
  'server.settingsChanged': 'Settings were changed, by a request or in the file',
  'webhooks.switchedOff': 'A webhook is told nothing any more until somebody resumes it',
  'state.changed':
    'What these operations read is another; its cursor is the place in the order of all that is kept',
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
