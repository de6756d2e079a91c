import { form, type Kind } from '../kinds.ts';
import { accepted, refused } from '../parsed.ts';
import type { Needed } from '../scopes.ts';
import type { Parameters, ValuesOf } from './endpoint.ts';
import { backupEndpoints } from './endpoints/backups.ts';
import { drainEndpoints } from './endpoints/drain.ts';
import { moderationEndpoints } from './endpoints/moderation.ts';
import { serverEndpoints } from './endpoints/server.ts';
import { keyName } from './key-parameters.ts';

export const scheduleLimits = {
  schedules: 50,
  /** The record says `schedule <name>`, in as much room as the name of a key has. */
  nameCharacters: 50,
  longestEmptyMinutes: 7 * 24 * 60,
} as const;

/** What a schedule can have done. */
interface ScheduledAction {
  readonly means: string;
  /** What a key has to be good for that makes, deletes or runs a schedule of it; a parameter may ask for more. */
  readonly scope: Needed;
  /** In the same query as those of the schedule itself, and so under names of their own. */
  readonly parameters: Parameters;
  /** What the log and the audit call it, once it is done. */
  readonly audit: string;
  /**
   * What a run is worth that the end of this service cut off. `again`: done twice it is as good as done once, so it is done again, and
   * so at least once. `told`: twice would be wrong, so it is done at most once, and what was cut off is told.
   */
  readonly cutOff: 'again' | 'told';
}

const { announce } = moderationEndpoints;
const { createBackup } = backupEndpoints;
const { startDrain } = drainEndpoints;
const { when, restart: _alwaysRestarted, ...howLong } = startDrain.query;
const { setRendering } = serverEndpoints;

/** A row each: all that is said of an action but what carries it out, which stands in control-api, `compose/schedules.ts`. */
export const scheduleActions = {
  save: {
    means: 'save the game',
    scope: 'operate',
    parameters: {},
    audit: 'farm saved',
    cutOff: 'again',
  },
  announce: {
    means: 'show a message from the server to everybody in the game',
    scope: announce.scope,
    parameters: announce.query,
    audit: announce.audit,
    cutOff: 'told',
  },
  rendering: {
    means: 'set the render rate',
    scope: setRendering.scope,
    parameters: setRendering.query,
    audit: setRendering.audit,
    cutOff: 'again',
  },
  backup: {
    means: 'make a backup of the last save',
    scope: createBackup.scope,
    parameters: createBackup.query,
    audit: createBackup.audit,
    cutOff: 'again',
  },
  drain: {
    means: 'warn and disconnect players, save, and stop or restart the game',
    scope: startDrain.scope,
    parameters: startDrain.query,
    audit: startDrain.audit,
    // One that waits outlives the service by itself; of one that was ending the game is back, and nobody has asked for another.
    cutOff: 'told',
  },
  update: {
    means:
      'let the sidecar look for a newer build of the game; if there is one, drain the farm, back it up, install the build and start the game again',
    scope: startDrain.scope,
    parameters: {
      when: { ...when, isRequired: false, means: `${when.means}; day-end by default` },
      ...howLong,
    },
    audit: 'game update looked for',
    // What is in place already is nothing new.
    cutOff: 'again',
  },
} as const satisfies Readonly<Record<string, ScheduledAction>>;

export type ScheduleActionName = keyof typeof scheduleActions;

export const scheduleActionNames = Object.keys(scheduleActions) as [
  ScheduleActionName,
  ...ScheduleActionName[],
];

/** What an action is told. */
export type ActionValues<Name extends ScheduleActionName> = ValuesOf<
  (typeof scheduleActions)[Name]['parameters']
>;

/** What becomes of what was due while nobody could do it. */
export const missedPolicies = ['skip', 'once'] as const;

export type MissedPolicy = (typeof missedPolicies)[number];

/** How a run ended. */
export const runOutcomes = {
  applied: 'it was done',
  failed: 'it was not done, and `reason` says why',
  unknown: 'it may have been done',
  skipped: 'it was not started: the previous run was still running, or it was missed',
} as const;

export type RunOutcome = keyof typeof runOutcomes;

export const runOutcomeNames = Object.keys(runOutcomes) as [RunOutcome, ...RunOutcome[]];

export const scheduleName: Kind<string> = {
  ...keyName,
  allowed: `1 to ${scheduleLimits.nameCharacters} printable characters, no space at either end`,
  json: { type: 'string', minLength: 1, maxLength: scheduleLimits.nameCharacters },
  parse(text) {
    const parsed = keyName.parse(text);
    if (!parsed.ok) return parsed;
    if (parsed.value.trim() !== parsed.value) return refused('starts or ends with a space');
    return [...parsed.value].length > scheduleLimits.nameCharacters ? refused('is too long') : parsed;
  },
};

export const scheduleId = form({
  allowed: 'the id of a schedule, as GET /schedules lists it',
  pattern: /^schedule_[0-9a-f]{12}$/,
  longest: 21,
});

const zoneForm = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** A name of the time zone database, as this machine knows them; an offset is none, as it has no daylight saving. */
export const timeZone: Kind<string> = {
  allowed: 'the name of a time zone, such as Europe/Berlin or UTC',
  json: { type: 'string', minLength: 1, maxLength: 64 },
  parse(text) {
    if (!zoneForm.test(text)) return refused('is not such a name');
    try {
      return accepted(new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone);
    } catch {
      return refused('is not a time zone that this machine knows');
    }
  },
};
