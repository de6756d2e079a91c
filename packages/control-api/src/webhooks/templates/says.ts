import type { EventOf } from '@steward/shared/events/event-data';
import type { EventType, gapType } from '@steward/shared/events/event-types';
import { capital } from '@steward/shared/text';
import { because, code, longest, name, type Piece, type Theirs, theirs, word, words } from './pieces.ts';

/** What people read of an event. */
export interface Telling {
  readonly icon: string;
  readonly title: readonly Piece[];
  readonly text: readonly Piece[];
  /** What somebody may want to copy. */
  readonly codes: readonly { readonly name: string; readonly code: Theirs }[];
  /** `urgent`: somebody should look; `quiet`: nobody has to. */
  readonly weight: 'urgent' | 'usual' | 'quiet';
}

export type Says = Pick<Telling, 'icon' | 'title'> & Partial<Telling>;

/** What an event tells people: never an id, which tells them nothing, and never who somebody is to a platform or a network. */
type Facts<Type extends EventType> = Omit<
  EventOf<Type>['data'],
  `${string}Id` | 'identity' | 'identities' | 'address'
>;

/** What is said of each type. */
export const says: { readonly [Type in EventType]: (data: Facts<Type>) => Says } = {
  'chat.said': ({ playerName, message }) => ({
    icon: '💬',
    title: words`${name(playerName)}`,
    text: [theirs(message, longest.message)],
  }),
  'players.joined': ({ playerName }) => ({ icon: '👋', title: words`${name(playerName)} joined` }),
  'players.left': ({ playerName }) => ({ icon: '🚪', title: words`${name(playerName)} left` }),
  'players.refused': ({ playerName, ...why }) => ({
    icon: '⛔',
    title: words`Somebody was not let in as ${name(playerName)}`,
    text: because(why),
  }),
  'players.turnedAway': (why) => ({ icon: '⛔', title: ['Somebody was not let in'], text: because(why) }),
  'players.kicked': ({ playerName }) => ({ icon: '👢', title: words`${name(playerName)} was kicked` }),
  'players.banned': ({ playerName, reason = '' }) => ({
    icon: '🚫',
    title: words`${name(playerName ?? '')} is banned`,
    text: [theirs(reason, longest.message)],
  }),
  'players.unbanned': ({ playerName, why }) => ({
    icon: '🕊️',
    title: words`${name(playerName ?? '')} is no longer banned`,
    text: why === 'over' ? ['The ban has ended'] : [],
  }),
  'players.allowed': ({ playerName }) => ({
    icon: '📋',
    title: words`${name(playerName ?? '')} is on the allowlist`,
  }),
  'players.disallowed': ({ playerName }) => ({
    icon: '📋',
    title: words`${name(playerName ?? '')} is no longer on the allowlist`,
  }),
  'farm.dayStarted': (date) => ({ icon: '🌅', title: words`${day(date)} has begun`, weight: 'quiet' }),
  'farm.dayEnded': (date) => ({ icon: '🌙', title: words`${day(date)} is over`, weight: 'quiet' }),
  'farm.saved': () => ({ icon: '💾', title: words`The farm is saved`, weight: 'quiet' }),
  'farm.loaded': ({ farmName, isNew }) => ({
    icon: '🚜',
    title: isNew
      ? words`A new farm is loaded: ${theirs(farmName, longest.name)}`
      : words`Another farm is loaded: ${theirs(farmName, longest.name)}`,
  }),
  'farmhands.customized': ({ playerName }) => ({
    icon: '🌱',
    title: words`${name(playerName)} is a new farmhand`,
  }),
  'farmhands.abandoned': () => ({
    icon: '🌱',
    title: words`Somebody left an empty slot without creating a farmhand`,
  }),
  'farmhands.deleted': ({ playerName }) => ({
    icon: '🥀',
    title: words`The farmhand ${name(playerName)} was deleted`,
  }),
  'farmhands.bound': ({ playerName }) => ({
    icon: '🔒',
    title: words`The farmhand ${name(playerName)} has a new owner`,
  }),
  'farmhands.released': ({ playerName }) => ({
    icon: '🔓',
    title: words`The farmhand ${name(playerName)} is free for the next player`,
  }),
  'invites.step': ({ step, to, ...why }) => ({
    icon: '🧭',
    title: words`Invite code: ${word(step)} is ${word(to)}`,
    text: because(why),
    weight: 'quiet',
  }),
  'invites.codes': ({ platform, network }) => {
    const codes = [
      { name: 'Same platform', code: code(platform) },
      { name: 'Any platform', code: code(network) },
    ].filter((one) => one.code.theirs !== '');
    return codes.length === 0
      ? { icon: '🎟️', title: words`No invite code works now` }
      : { icon: '🎟️', title: words`Players can join by invite code`, codes };
  },
  'invites.networkSignedIn': () => ({
    icon: '🌐',
    title: words`The game is signed in to the cross-platform network`,
    weight: 'quiet',
  }),
  'invites.networkSignedOut': (why) => ({
    icon: '🌐',
    title: words`The game is signed out of the cross-platform network`,
    text: because(why),
    weight: 'quiet',
  }),
  'invites.lobbyOpened': () => ({
    icon: '🌐',
    title: words`The lobby on the cross-platform network is open`,
    weight: 'quiet',
  }),
  'invites.lobbyClosed': (why) => ({
    icon: '🌐',
    title: words`The lobby on the cross-platform network is closed`,
    text: because(why),
    weight: 'quiet',
  }),
  'game.starting': () => ({ icon: '🔄', title: words`The game is starting`, weight: 'quiet' }),
  'game.waiting': (why) => ({ icon: '⏳', title: words`No game is connected yet`, text: because(why) }),
  'game.connected': () => ({ icon: '✅', title: words`The game is connected` }),
  'game.slow': (why) => ({ icon: '🐌', title: words`The game is slow`, text: because(why) }),
  'game.frozen': (why) => ({
    icon: '🧊',
    title: words`The game is frozen`,
    text: because(why),
    weight: 'urgent',
  }),
  'game.recovered': () => ({ icon: '✅', title: words`The game runs again` }),
  'game.lost': (why) => ({
    icon: '🔌',
    title: words`The connection to the game is lost`,
    text: because(why),
    weight: 'urgent',
  }),
  'game.crashed': (why) => ({
    icon: '💥',
    title: words`The game exited by itself, and starts again`,
    text: because(why),
    weight: 'urgent',
  }),
  // This service stops, or a drain, a restore or an update has it away.
  'game.stopped': (why) => ({ icon: '⏹️', title: words`The game was stopped`, text: because(why) }),
  'operations.ended': ({ command, state, reason, playerName }) => ({
    icon: '⚙️',
    title: [
      ...words`${{ theirs: capital(word(command).theirs) }}`,
      ...(playerName === undefined ? [] : words` of ${name(playerName)}`),
      ...words` ${{ theirs: operationEnds[state] }}`,
    ],
    ...(reason === undefined ? {} : { text: because({ reason }) }),
    weight: 'quiet',
  }),
  'sidecar.session': ({ state, ...why }) => ({
    icon: '🔐',
    title: words`The platform session is now: ${word(state)}`,
    text: because(why),
  }),
  'sidecar.download': ({ state, isOutdated, reason, remedy }) => ({
    icon: '📦',
    title:
      isOutdated === undefined
        ? words`The game’s files are now: ${word(state)}`
        : words`The platform has another build of the game`,
    ...(reason === undefined ? {} : { text: because({ reason, remedy }) }),
  }),
  'server.started': ({ version }) => ({ icon: '🟢', title: words`Steward ${word(version)} has started` }),
  'server.stopping': () => ({ icon: '🔴', title: words`Steward is stopping` }),
  'server.draining': ({ phase, restart }) => ({
    icon: '🚦',
    title: words`Drain before the game is ${word(restart ? 'restarted' : 'stopped')}: ${word(phase)}`,
    weight: 'quiet',
  }),
  'server.drained': ({ restart, isSaved, isBack }) => ({
    icon: '🛑',
    title: !restart
      ? words`The game is stopped`
      : isBack
        ? words`The game was restarted`
        : words`The game was stopped to be restarted, and is not back yet`,
    text: isSaved ? words`The farm was saved.` : words`The farm could not be saved: the day is lost.`,
    weight: isSaved && isBack === restart ? 'usual' : 'urgent',
  }),
  'server.drainEnded': () => ({ icon: '🟢', title: words`Players can join again` }),
  'server.settingsChanged': ({ fields }) => ({
    icon: '🛠️',
    title: words`Settings were changed`,
    text: [theirs(fields.join(', '), longest.message)],
  }),
  'backups.made': (made) => ({ icon: '📦', title: words`${backup(made)} is made`, weight: 'quiet' }),
  'backups.failed': (why) => ({
    icon: '⚠️',
    title: words`A backup failed`,
    text: because(why),
    weight: 'urgent',
  }),
  'backups.deleted': (gone) => ({ icon: '🗑️', title: words`${backup(gone)} is deleted`, weight: 'quiet' }),
  'backups.restoring': (restoring) => ({
    icon: '⏪',
    title: words`${backup(restoring)} is being restored: ${word(restoring.step)}`,
    weight: 'quiet',
  }),
  'backups.restored': (restored) => ({ icon: '⏪', title: words`${backup(restored)} is restored` }),
  'backups.restoreFailed': ({ reason, remedy, ...of }) => ({
    icon: '⚠️',
    title: words`${backup(of)} was not restored, and nothing has changed`,
    text: because({ reason, ...(remedy === undefined ? {} : { remedy }) }),
    weight: 'urgent',
  }),
  'state.changed': () => ({ icon: '🔄', title: words`The farm has changed`, weight: 'quiet' }),
  'schedules.ran': ({ scheduleName, action }) => ({
    icon: '⏰',
    title: words`Schedule ${name(scheduleName)}: ${word(action)} is done`,
    weight: 'quiet',
  }),
  'schedules.failed': ({ scheduleName, action, outcome, ...why }) => ({
    icon: '⚠️',
    title:
      outcome === 'unknown'
        ? words`The schedule ${name(scheduleName)} may have failed: ${word(action)}`
        : words`The schedule ${name(scheduleName)} has failed: ${word(action)}`,
    text: because(why),
    weight: 'urgent',
  }),
  'schedules.skipped': ({ scheduleName, action, ...why }) => ({
    icon: '⏭️',
    title: words`Schedule ${name(scheduleName)}: ${word(action)} was skipped`,
    text: because(why),
  }),
  'schedules.switchedOff': ({ scheduleName, ...why }) => ({
    icon: '⚠️',
    title: words`The schedule ${name(scheduleName)} is switched off`,
    text: because(why),
    weight: 'urgent',
  }),
  'webhooks.switchedOff': ({ webhookName, ...why }) => ({
    icon: '⚠️',
    title: words`The webhook ${name(webhookName)} is switched off`,
    text: because(why),
    weight: 'urgent',
  }),
};

export const ofNoTopic: Readonly<Record<typeof gapType | 'test', Says>> = {
  gap: {
    icon: '🕳️',
    title: words`Some events are missing here`,
    text: words`They are lost: Steward was killed, or no longer keeps them.`,
  },
  test: {
    icon: '🔔',
    title: words`This is a test`,
    text: words`It has arrived, so events from the farm will, too.`,
  },
};

const operationEnds: Readonly<Record<EventOf<'operations.ended'>['data']['state'], string>> = {
  applied: 'is done',
  refused: 'was refused',
  void: 'was never done',
  unknown: 'has an unknown outcome',
};

function backup({ day, season, year }: Pick<Facts<'backups.made'>, 'day' | 'season' | 'year'>): Theirs {
  if (day === undefined || season === undefined || year === undefined) return { theirs: 'A backup' };
  return { theirs: `A backup of day ${day} of ${season}, year ${year},` };
}

function day({ day, season, year }: Facts<'farm.dayStarted'>): Theirs {
  return { theirs: `Day ${day} of ${season}, year ${year},` };
}
