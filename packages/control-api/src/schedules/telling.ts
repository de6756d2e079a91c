import type { Log } from '@steward/service-kit/log/logger';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { timestampOf } from '@steward/shared/wire-values';
import type { KeptEventLog } from '../store/kept/event-log.ts';
import { shown } from '../store/named.ts';
import type { KeptRun, ScheduleDefinition } from '../store/tables/schedules.ts';

export interface Telling {
  readonly events: Pick<KeptEventLog<StewardEvent>, 'append'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** How a run ended: in the log, and as an event. */
export function tellEnd({ events, log }: Telling, schedule: ScheduleDefinition, run: KeptRun): void {
  const { dueAt, outcome, operationId, reason = 'no reason was given' } = run;
  const data = { ...whichOf(schedule, dueAt), ...(operationId === undefined ? {} : { operationId }) };
  const { name, action } = schedule;
  if (outcome === 'applied') {
    log.info(data, `the schedule ${shown(name)} has run: ${action}`);
    events.append({ type: 'schedules.ran', data });
  } else {
    const how = outcome === 'failed' ? 'failed' : 'unknown';
    const what = how === 'failed' ? 'was not done' : 'may have been done';
    log.warn(data, `what the schedule ${shown(name)} does ${what} (${action}): ${reason}`);
    events.append({ type: 'schedules.failed', data: { ...data, outcome: how, reason } });
  }
}

export function tellSkipped(
  { events, log }: Telling,
  schedule: ScheduleDefinition,
  dueAt: number,
  reason: string,
): void {
  const data = { ...whichOf(schedule, dueAt), reason };
  log.info(data, `the schedule ${shown(schedule.name)} was due and did not run: ${reason}`);
  events.append({ type: 'schedules.skipped', data });
}

/** Who may only read hears of no key which one it is. */
const ofSomeKey = 'the key that created it has ended';

export function tellSwitchedOff(
  { events, log }: Telling,
  schedule: ScheduleDefinition,
  reason: string,
): void {
  const remedy = 'Delete the schedule, and create it again with a key that has not ended';
  log.warn({ schedule: schedule.id, remedy }, `the schedule ${shown(schedule.name)} is off: ${reason}`);
  events.append({ type: 'schedules.switchedOff', data: { ...whichOf(schedule), reason: ofSomeKey, remedy } });
}

function whichOf({ id, name, action }: ScheduleDefinition, dueAt?: number) {
  return {
    scheduleId: id,
    scheduleName: name,
    action,
    ...(dueAt === undefined ? {} : { dueAt: timestampOf(dueAt) }),
  };
}
