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
    means: 'What it waits for, as in POST /drain; now by default',
    example: 'day-end',
  }),
  minutes: optional(integer({ min: 0, max: mostMinutes }), {
    means: `The longest wait; ${usualMinutes.empty} for empty and ${usualMinutes['day-end']} for day-end by default`,
    example: 60,
  }),
  seconds: optional(integer({ min: 0, max: mostSeconds }), {
    means: `The length of the countdown if somebody is online; ${usualSeconds} by default`,
    example: 120,
  }),
  message: optional(visibleText({ longest: 200 }), {
    means: 'The reason, shown to the players',
    example: 'On Fridays we play the other farm',
  }),
  force: optional(boolean, { means: 'Continue even if the current farm cannot be backed up first' }),
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
  'Players are warned and disconnected as by POST /drain, the current farm is saved and backed up, and only then the game loads the other one. The answer is 202: GET /operations/{id} shows each step, and names the loaded farm.';

export const farmsEndpoints = {
  listFarms: {
    on: 'GET /farms',
    group: 'Farms',
    scope: 'read',
    summary: 'The game’s saves, and the one that is loaded',
    problems: ['not-supported-by-game', 'game-unavailable', 'command-failed'],
  },
  createFarm: {
    on: 'POST /farms',
    group: 'Farms',
    scope: 'admin',
    summary: 'Create a farm, and load it',
    description: `Everything else comes from the game section of the settings file. ${steps} The old farm stays in GET /farms.`,
    query: { ...parametersOf(settingsTable.game), ...seenOff },
    problems: changeProblems,
    audit: 'farm made',
    notedFirst: true,
  },
  loadFarm: {
    on: 'POST /farms/load',
    group: 'Farms',
    scope: 'admin',
    summary: 'Load another farm',
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
    notedFirst: true,
  },
} as const satisfies Endpoints;
