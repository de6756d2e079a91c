import type { Farm, KickPlayerParameters, Status, UnderWay } from '@steward/client';
import { isGoodFor, type Scope } from '@steward/shared/scopes';
import { capital } from '@steward/shared/text';
import type { Spoken } from '../text/inward.ts';
import { harmless, mostNameShown } from '../text/outward.ts';

/** What a command was given, by the names of its options. */
export type Given = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Asked {
  readonly farm: Farm;
  readonly given: Given;
  /** What the game shows of a text by whoever asks, as of each message; nothing where there is nothing to show. */
  readonly spoken: (text: string) => Spoken | undefined;
  /** For what changes something: carried out once under it. */
  readonly idempotencyKey: string;
}

/** What whoever asked is shown; where it goes on, the operation that tells how it ends. */
export interface Told {
  readonly text: string;
  readonly operationId?: string;
}

export interface Option {
  readonly name: string;
  readonly type: 'text' | 'number' | 'yes';
  readonly means: string;
  readonly isRequired?: boolean;
  readonly choices?: readonly string[];
}

export interface Command {
  readonly name: string;
  readonly means: string;
  /** What the key has to be good for. */
  readonly scope: Scope;
  /** What the game has to be able to do, where not every game can. */
  readonly capability?: string;
  /** What it has to be good for besides, for the calls that change something; without it there are no options. */
  readonly deedScope?: Scope;
  /** Which calls are for operators alone. */
  readonly isDeed: (given: Given) => boolean;
  /** Everybody in the channel sees the answer. */
  readonly isPublic?: true;
  readonly options?: readonly Option[];
  readonly run: (asked: Asked) => Promise<Told>;
}

/** There is room for these in one message. */
const mostListed = 1_800;
const mostObstacles = 4;
const mostOfObstacle = 200;

const always = () => true;
const never = () => false;

const player: Option = {
  name: 'player',
  type: 'text',
  means: 'The name of a farmhand, or its id',
  isRequired: true,
};
const reason: Option = { name: 'reason', type: 'text', means: 'Reason, shown to the player' };
const confirm = (what: string): Option => ({ name: 'confirm', type: 'yes', means: what, isRequired: true });

export const commands: readonly Command[] = [
  {
    name: 'status',
    means: 'The state of the farm',
    scope: 'read',
    isDeed: never,
    isPublic: true,
    run: async ({ farm }) => ({ text: statusText(await farm.getStatus()) }),
  },
  {
    name: 'players',
    means: 'Who is online',
    scope: 'read',
    isDeed: never,
    isPublic: true,
    run: async ({ farm }) => {
      const { players } = await farm.listPlayers();
      const names = players
        .filter(({ isOnline }) => isOnline)
        .map(({ name }) => harmless(name || 'somebody new', mostNameShown));
      return { text: names.length === 0 ? 'Nobody is on the farm.' : `On the farm: ${listed(names)}` };
    },
  },
  {
    name: 'code',
    means: 'The invite code, visible only to you',
    scope: 'read',
    isDeed: never,
    run: async ({ farm }) => {
      const { inviteCode, error } = await farm.getInviteCode();
      return {
        text: inviteCode === undefined ? harmless(error ?? 'There is no code now.') : `\`${inviteCode}\``,
      };
    },
  },
  {
    name: 'say',
    means: 'Writes something in the game',
    scope: 'chat',
    isDeed: always,
    options: [{ name: 'text', type: 'text', means: 'What is said', isRequired: true }],
    run: async ({ farm, given, spoken, idempotencyKey }) => {
      const said = spoken(String(given['text']));
      if (said === undefined) return { text: 'Nothing was said: the text has no visible character.' };
      const { author, text, isCut } = said;
      const { truncated } = await farm.sendChat({ author, message: text }, { idempotencyKey });
      return { text: isCut || truncated ? 'Sent; it was too long, and its end was cut.' : 'Said.' };
    },
  },
  {
    name: 'time',
    means: 'Shows or sets the time on the farm',
    scope: 'read',
    deedScope: 'operate',
    isDeed: ({ value }) => value !== undefined,
    isPublic: true,
    options: [{ name: 'value', type: 'number', means: 'Sets it: 600 is 6 AM, 1800 is 6 PM, 2600 is 2 AM' }],
    run: async ({ farm, given, idempotencyKey }) => {
      if (typeof given['value'] === 'number')
        return done(await farm.setTime({ value: given['value'] }, { idempotencyKey }));
      return { text: timeText(await farm.getTime()) };
    },
  },
  {
    name: 'save',
    means: 'Saves the game now, if nobody is playing',
    scope: 'operate',
    capability: 'save',
    isDeed: always,
    run: async ({ farm, idempotencyKey }) => done(await farm.saveGame({}, { idempotencyKey })),
  },
  {
    name: 'kick',
    means: 'Kicks a player, who may come back',
    scope: 'moderate',
    capability: 'kick',
    isDeed: always,
    options: [player, reason],
    run: async ({ farm, given, idempotencyKey }) =>
      done(await farm.kickPlayer({ ...meant(given), ...because(given) }, { idempotencyKey })),
  },
  {
    name: 'ban',
    means: 'Bans a player',
    scope: 'moderate',
    isDeed: always,
    options: [
      player,
      confirm('Yes, ban this player'),
      reason,
      {
        name: 'until',
        type: 'text',
        means: 'When it ends: 7d, 12h, 2027-01-31; never by default',
      },
    ],
    run: async ({ farm, given, idempotencyKey }) => {
      const until = given['until'] === undefined ? {} : { until: String(given['until']) };
      return done(await farm.addBan({ ...meant(given), ...because(given), ...until }, { idempotencyKey }));
    },
  },
  {
    name: 'drain',
    means: 'Warns and disconnects players, saves, and stops or restarts the game',
    scope: 'operate',
    isDeed: always,
    options: [
      {
        name: 'when',
        type: 'text',
        means: 'What it waits for',
        isRequired: true,
        choices: ['now', 'empty', 'day-end'],
      },
      confirm('Yes, disconnect everybody'),
      { name: 'restart', type: 'yes', means: 'Start the game again; otherwise it stays stopped' },
      { name: 'message', type: 'text', means: 'The reason, shown to the players' },
    ],
    run: async ({ farm, given, idempotencyKey }) => {
      const message = given['message'] === undefined ? {} : { message: String(given['message']) };
      const when = given['when'] as 'now' | 'empty' | 'day-end';
      return done(
        await farm.startDrain({ when, restart: given['restart'] === true, ...message }, { idempotencyKey }),
      );
    },
  },
  {
    name: 'backup',
    means: 'Makes a backup of the last save',
    scope: 'operate',
    isDeed: always,
    options: [{ name: 'note', type: 'text', means: 'Its name in lists' }],
    run: async ({ farm, given, idempotencyKey }) => {
      const note = given['note'] === undefined ? {} : { note: String(given['note']) };
      return done(await farm.createBackup(note, { idempotencyKey }));
    },
  },
];

/** What one key, of one game, can be asked for. */
export function offered(
  scopes: ReadonlySet<Scope>,
  capabilities: readonly string[] | undefined,
): readonly Command[] {
  const can = (name: string | undefined) => name === undefined || (capabilities?.includes(name) ?? true);
  return commands
    .filter(({ scope, capability }) => isGoodFor(scopes, scope) && can(capability))
    .map((command) =>
      isGoodFor(scopes, command.deedScope ?? command.scope) ? command : { ...command, options: [] },
    );
}

/** As many as one message has room for. */
function listed(names: readonly string[]): string {
  let length = 0;
  const over = names.findIndex((name) => {
    length += name.length + ', '.length;
    return length > mostListed;
  });
  return over < 0 ? names.join(', ') : `${names.slice(0, over).join(', ')} and ${names.length - over} more`;
}

function done(answer: { readonly message: string } | UnderWay): Told {
  const text = harmless(answer.message);
  const isUnderWay = Object.keys(answer).every((member) =>
    ['success', 'message', 'operationId'].includes(member),
  );
  return isUnderWay && 'operationId' in answer ? { text, operationId: answer.operationId } : { text };
}

/** Ids have more digits than anybody's name. */
function meant(given: Given): Pick<KickPlayerParameters, never> & ({ playerId: string } | { name: string }) {
  const text = String(given['player']).trim();
  return /^-?\d{6,20}$/.test(text) ? { playerId: text } : { name: text };
}

function because(given: Given): { reason?: string } {
  return given['reason'] === undefined ? {} : { reason: String(given['reason']) };
}

function statusText(status: Status): string {
  const { farmName, isOnline, playerCount, maxPlayers, isJoinable, obstacles, draining } = status;
  if (!isOnline) return ['The farm is offline.', ...obstacleTexts(obstacles)].join('\n');
  return [
    `**${harmless(farmName, mostNameShown)}**: ${timeText(status)}`,
    `${playerCount} of ${maxPlayers} playing; ${isJoinable ? 'players can join' : 'nobody can join now'}`,
    ...(draining === undefined ? [] : ['A drain is running.']),
    ...(isJoinable ? [] : obstacleTexts(obstacles)),
  ].join('\n');
}

function obstacleTexts(obstacles: Status['obstacles']): readonly string[] {
  return obstacles
    .slice(0, mostObstacles)
    .map(
      ({ reason, remedy }) => `• ${[reason, remedy].map((text) => harmless(text, mostOfObstacle)).join(' ')}`,
    );
}

type Moment = Pick<Status, 'day' | 'season' | 'year' | 'timeOfDay' | 'isPaused'>;

function timeText({ timeOfDay, isPaused, ...date }: Moment): string {
  const [hours, minutes] = [Math.floor(timeOfDay / 100) % 24, timeOfDay % 100];
  const clock = `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
  return `${dateText(date)}, ${clock}${isPaused ? ' (paused)' : ''}`;
}

export function dateText({ day, season, year }: Pick<Moment, 'day' | 'season' | 'year'>): string {
  return `${capital(season)} ${day}, year ${year}`;
}
