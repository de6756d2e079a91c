import { drainLimits, drainWhens } from '../../drain.ts';
import { boolean, choice, form, integer, visibleText } from '../../kinds.ts';
import { settingsTable } from '../../settings/settings-table.ts';
import { type Endpoints, optional, required } from '../endpoint.ts';
import { parametersOf } from './settings.ts';

const { usualMinutes, mostMinutes, usualSeconds, mostSeconds } = drainLimits;

const longestId = 100;

/** Players are seen off first, as by POST /drain. */
const seenOff = {
  when: optional(choice(drainWhens), {
    means: 'What it waits for, as POST /drain does; now where nothing is said',
    example: 'day-end',
  }),
  minutes: optional(integer({ min: 0, max: mostMinutes }), {
    means: `How long it waits at the most; ${usualMinutes.empty} for empty and ${usualMinutes['day-end']} for day-end where nothing is said`,
    example: 60,
  }),
  seconds: optional(integer({ min: 0, max: mostSeconds }), {
    means: `How long the countdown is where somebody is there; ${usualSeconds} where nothing is said`,
    example: 120,
  }),
  message: optional(visibleText({ longest: 200 }), {
    means: 'Why, for the players',
    example: 'On Fridays we play the other farm',
  }),
  force: optional(boolean, { means: 'Go on where the farm that is played cannot be backed up before' }),
};

const changeProblems = [
  'not-supported-by-game',
  'drain-under-way',
  'backups-off',
  'backup-under-way',
  'backup-failed',
  'no-save',
  'no-room',
  'players-online',
  'command-failed',
  'command-void',
  'idempotency-key-reused',
  'state-unwritable',
  'game-unavailable',
  'outcome-unknown',
] as const;

const steps =
  'Who is there is told and seen off as by POST /drain, the farm that is played is saved and backed up, and only then the game goes on to the other one. The answer is 202: GET /operations/{id} shows each step, and names the farm that is loaded.';

export const farmEndpoints = {
  listFarms: {
    on: 'GET /farms',
    group: 'Farms',
    scope: 'read',
    summary: 'The saves that the game has, and which of them is played',
    problems: ['not-supported-by-game', 'game-unavailable', 'command-failed'],
  },
  createFarm: {
    on: 'POST /farms',
    group: 'Farms',
    scope: 'admin',
    summary: 'Make a farm, and play it from now on',
    description: `What is not named is as the settings file's game section says. ${steps} The old farm stays among GET /farms.`,
    query: { ...parametersOf(settingsTable.game), ...seenOff },
    problems: changeProblems,
    audit: 'farm made',
  },
  loadFarm: {
    on: 'POST /farms/load',
    group: 'Farms',
    scope: 'admin',
    summary: 'Play another farm from now on',
    description: steps,
    query: {
      id: required(
        form({
          allowed: 'the id of a save, as GET /farms lists it',
          pattern: /^[A-Za-z0-9][A-Za-z0-9_-]*$/,
          longest: longestId,
        }),
        { means: 'Which one', example: 'Sunnybrook_398472611' },
      ),
      ...seenOff,
    },
    problems: [...changeProblems, 'farm-not-found'],
    audit: 'farm loaded',
  },
} as const satisfies Endpoints;
