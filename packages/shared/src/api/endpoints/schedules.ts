import { choice, integer } from '../../kinds.ts';
import { cronText } from '../cron-text.ts';
import { type Endpoints, optional, type Parameter, type Parameters, required } from '../endpoint.ts';
import {
  missedPolicies,
  type ScheduleActionName,
  scheduleActionNames,
  scheduleActions,
  scheduleId,
  scheduleLimits,
  scheduleName,
  timeZone,
} from '../schedule-parameters.ts';

const eitherIdOrName = ['id', 'name'] as const;

const oneSchedule = {
  id: optional(scheduleId, {
    means: 'The id of the schedule. Exactly one of id and name must be given.',
    example: 'schedule_5b1f0c9a7d24',
  }),
  name: optional(scheduleName, {
    means: 'Its name, in any case. Exactly one of id and name must be given.',
    example: 'nightly',
  }),
};

const whatActionsDo = scheduleActionNames
  .map((name) => `\`${name}\`: ${scheduleActions[name].means}`)
  .join('; ');

/** What can become of a change of schedules, which this service makes itself. */
const changeProblems = [
  'idempotency-key-reused',
  'state-unwritable',
  'game-unavailable',
  'outcome-unknown',
] as const;

type AllOptional<Given extends Parameters> = {
  readonly [Name in keyof Given]: Given[Name] extends Parameter<infer T> ? Parameter<T, false> : never;
};

/** What an action is told, as a schedule is told it beside what is its own. */
function of<const Name extends ScheduleActionName>(name: Name, whose = `Of the action ${name}`) {
  const given: Parameters = scheduleActions[name].parameters;
  const rows = Object.entries(given).map(([parameter, row]) => {
    const means = `${whose}: ${row.means}`;
    return [parameter, { ...row, isRequired: false, means }] as const;
  });
  return Object.fromEntries(rows) as AllOptional<(typeof scheduleActions)[Name]['parameters']>;
}

const { message: line, ...ofAnnounce } = of('announce');
const { message: why, ...ofDrains } = { ...of('drain'), ...of('update', 'Of the actions drain and update') };

export const scheduleEndpoints = {
  listSchedules: {
    on: 'GET /schedules',
    group: 'Schedules',
    scope: 'operate',
    summary: 'All schedules, when each runs next, and how the last run ended',
    description: 'In the order in which they were created.',
  },
  createSchedule: {
    on: 'POST /schedules',
    group: 'Schedules',
    scope: 'operate',
    summary: 'Create a schedule: run an action at set times, or when the farm has been empty for a while',
    description: `It has the rights of the key that creates it, and is off once that key has ended. Each action takes its own parameters, in the same query: ${whatActionsDo}.`,
    query: {
      name: required(scheduleName, {
        means: 'Its name in lists, logs and the audit; no other schedule may have it',
        example: 'nightly',
      }),
      action: required(choice(scheduleActionNames), { means: 'What is done', example: 'rendering' }),
      cron: optional(cronText, {
        means: 'When, as a cron expression. Exactly one of cron and emptyMinutes must be given.',
        example: '0 5 * * *',
      }),
      emptyMinutes: optional(integer({ min: 1, max: scheduleLimits.longestEmptyMinutes }), {
        means:
          'Once whenever nobody has been online for this many minutes. Exactly one of cron and emptyMinutes must be given.',
        example: 30,
      }),
      timeZone: optional(timeZone, {
        means: 'The time zone of `cron`; UTC by default',
        example: 'Europe/Berlin',
      }),
      missed: optional(choice(missedPolicies), {
        means:
          'What happens to runs by `cron` that were due while this service was off or the machine asleep. skip (the default): they are left out; once: it runs once, late',
        example: 'once',
      }),
      ...ofAnnounce,
      ...of('rendering'),
      ...of('backup'),
      ...ofDrains,
      // What each takes beyond that is its own: see `parametersOf` of the schedules.
      message: { ...line, means: `${line.means}. ${why.means}` },
    },
    exactlyOneOf: ['cron', 'emptyMinutes'],
    problems: [
      ...changeProblems,
      'schedule-name-taken',
      'too-many-schedules',
      'no-sidecar',
      'not-supported-by-game',
    ],
    audit: 'schedule created',
  },
  deleteSchedule: {
    on: 'DELETE /schedules',
    group: 'Schedules',
    scope: 'operate',
    summary: 'Delete a schedule',
    description: 'A run that has started continues.',
    query: oneSchedule,
    exactlyOneOf: eitherIdOrName,
    problems: [...changeProblems, 'schedule-not-found'],
    audit: 'schedule deleted',
  },
  runSchedule: {
    on: 'POST /schedules/run',
    group: 'Schedules',
    scope: 'operate',
    summary: 'Run a schedule now',
    description:
      'Its next run stays as it is. `run` says how this one ended; if it takes more than 20 seconds, it has no outcome yet: look at GET /schedules.',
    query: oneSchedule,
    exactlyOneOf: eitherIdOrName,
    problems: [...changeProblems, 'schedule-not-found', 'schedule-off', 'schedule-running'],
    audit: 'schedule run',
    notedFirst: true,
  },
} as const satisfies Endpoints;
