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
    summary: 'What is done by itself, when it is due next, and how it went last',
    description: 'In the order in which they were made.',
  },
  createSchedule: {
    on: 'POST /schedules',
    group: 'Schedules',
    scope: 'operate',
    summary: 'Have something done by itself, at set times or when the farm has been empty for a while',
    description: `It acts with the right of the key that makes it, and is off once that key has ended. What an action needs is given beside it, in the same query: ${whatActionsDo}.`,
    query: {
      name: required(scheduleName, {
        means: 'What lists, logs and the audit call it; no other schedule has the name',
        example: 'nightly',
      }),
      action: required(choice(scheduleActionNames), { means: 'What is done', example: 'rendering' }),
      cron: optional(cronText, {
        means: 'When, as cron says it. Exactly one of cron and emptyMinutes must be given.',
        example: '0 5 * * *',
      }),
      emptyMinutes: optional(integer({ min: 1, max: scheduleLimits.longestEmptyMinutes }), {
        means:
          'Once each time that nobody has been online for so many minutes. Exactly one of cron and emptyMinutes must be given.',
        example: 30,
      }),
      timeZone: optional(timeZone, {
        means: 'By which clock `cron` goes; UTC where nothing is said',
        example: 'Europe/Berlin',
      }),
      missed: optional(choice(missedPolicies), {
        means:
          'What becomes of what was due by `cron` while this service was off or the machine asleep. skip: nothing, until it is due again; once: it is done once, late. skip where nothing is said',
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
    audit: 'schedule made',
  },
  deleteSchedule: {
    on: 'DELETE /schedules',
    group: 'Schedules',
    scope: 'operate',
    summary: 'Have it done no more',
    description: 'What it is doing now goes on.',
    query: oneSchedule,
    exactlyOneOf: eitherIdOrName,
    problems: [...changeProblems, 'schedule-not-found'],
    audit: 'schedule deleted',
  },
  runSchedule: {
    on: 'POST /schedules/run',
    group: 'Schedules',
    scope: 'operate',
    summary: 'Do now what it does, whenever it is due',
    description:
      'When it is due next stays as it is. `run` says how it went; where that takes more than 20 seconds it has no outcome yet, and GET /schedules tells.',
    query: oneSchedule,
    exactlyOneOf: eitherIdOrName,
    problems: [...changeProblems, 'schedule-not-found', 'schedule-off', 'schedule-running'],
    audit: 'schedule run',
  },
} as const satisfies Endpoints;
