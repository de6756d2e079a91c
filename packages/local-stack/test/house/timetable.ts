import type { Event, Farm } from '@steward/client';
import type { AuditBook } from './audit-book.ts';

const eachMinute = '* * * * *';

const schedules = [
  { name: 'word', action: 'announce', message: 'A minute has gone by', cron: eachMinute },
  { name: 'copies', action: 'backup', note: 'each minute', cron: eachMinute },
] as const;

export const scheduleNames = schedules.map(({ name }) => `schedule ${name}`);

export async function makeSchedules(scripts: Farm, book: AuditBook): Promise<void> {
  for (const schedule of schedules) {
    const { operationId } = await scripts.createSchedule(schedule);
    book.did('scripts', `the schedule ${schedule.name}`, operationId);
  }
}

/** What schedules have done, told to the book by what they told themselves; how often each has run. */
export function noteRuns(events: readonly Event[], book: AuditBook): number {
  let runs = 0;
  for (const event of events) {
    if (event.type !== 'schedules.ran') continue;
    runs += 1;
    const { scheduleName, action, operationId } = event.data;
    book.did(`schedule ${scheduleName}`, action, operationId);
  }
  return runs;
}
