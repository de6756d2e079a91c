import { randomBytes } from 'node:crypto';
import type { Parameter } from '@steward/shared/api/endpoint';
import type { QueryOf } from '@steward/shared/api/endpoints';
import {
  type ScheduleActionName,
  scheduleActions,
  scheduleLimits,
} from '@steward/shared/api/schedule-parameters';
import { Problem } from '@steward/shared/problems/problem';
import { type Caller, insufficient, may } from '../keys/caller.ts';
import { refuseNew, shown } from '../store/named.ts';
import type { KeptSchedule, KeptTrigger, ScheduleDefinition } from '../store/tables/schedules.ts';
import { CronTimes } from './cron-times.ts';
import type { Plan } from './plan.ts';

export type NewSchedule = QueryOf<'createSchedule'>;

/** How it is to begin, with the right of this caller; or the Problem that says why it may not. */
export function made(plans: readonly Plan[], asked: NewSchedule, caller: Caller, now: number): KeptSchedule {
  const { name, action } = asked;
  const parameters = parametersOf(action, asked);
  mayHave(caller, { action, parameters });
  const trigger = triggerOf(asked, now);
  refuseNew('schedule', plans, name, scheduleLimits.schedules);
  return {
    id: `schedule_${randomBytes(6).toString('hex')}`,
    name,
    action,
    parameters,
    trigger,
    madeBy: caller.name,
    keyId: caller.keyId ?? null,
    createdAt: now,
    // Also a farm that has been empty for a while becomes due.
    doneTo: 'cron' in trigger ? now : 0,
    off: null,
    run: null,
  };
}

/** Whoever may not do it by hand may not have it done either, nor keep it from being done. */
export function mayHave(
  caller: Caller,
  { action, parameters }: Pick<ScheduleDefinition, 'action' | 'parameters'>,
): void {
  const { scope, parameters: declared } = scheduleActions[action];
  if (!may(caller, scope)) throw insufficient(`The action ${action}`, caller, scope);
  for (const [name, { scope: needed }] of Object.entries<Parameter>(declared))
    if (needed !== undefined && parameters[name] !== undefined && !may(caller, needed))
      throw insufficient(`The action ${action} with ${name}`, caller, needed);
}

const ownNames: ReadonlySet<string> = new Set([
  'name',
  'action',
  'cron',
  'emptyMinutes',
  'timeZone',
  'missed',
]);

function parametersOf(action: ScheduleActionName, asked: NewSchedule): KeptSchedule['parameters'] {
  const declared: Readonly<Record<string, Parameter>> = scheduleActions[action].parameters;
  const given = Object.entries(asked).filter(([name, value]) => value !== undefined && !ownNames.has(name));
  for (const [name] of given)
    if (!Object.hasOwn(declared, name))
      throw new Problem(
        'unknown-parameter',
        `The action ${action} has no ${name}: it takes ${Object.keys(declared).join(', ') || 'nothing'}`,
      );
  const parameters = Object.fromEntries(given);
  for (const [name, { isRequired, kind }] of Object.entries(declared)) {
    const value = parameters[name];
    if (isRequired && value === undefined)
      throw new Problem(
        'missing-parameter',
        `The action ${action} needs ${name}; it must be ${kind.allowed}`,
      );
    // One of the same name that another action has may take more.
    const parsed = value === undefined ? undefined : kind.parse(String(value));
    if (parsed?.ok === false)
      throw new Problem(
        'invalid-parameter',
        `${name} ${parsed.reason}: of the action ${action} it must be ${kind.allowed}`,
      );
  }
  return parameters;
}

function triggerOf({ cron, timeZone, missed, emptyMinutes }: NewSchedule, now: number): KeptTrigger {
  if (cron === undefined) {
    // The check of the query has seen to it that one of them is there.
    for (const [name, value] of Object.entries({ timeZone, missed }))
      if (value !== undefined)
        throw new Problem('invalid-parameter', `${name} needs cron: emptyMinutes does not use a clock`);
    return { emptyMinutes: emptyMinutes ?? 1 };
  }
  const trigger = { cron, timeZone: timeZone ?? 'UTC', missed: missed ?? 'skip' } as const;
  if (new CronTimes(trigger.cron, trigger.timeZone).nextAfter(now) === undefined)
    throw new Problem(
      'invalid-parameter',
      `cron is ${shown(cron)}, which never occurs: no such month has such a day`,
    );
  return trigger;
}
