import type { Command } from '@steward/service-kit/command-line/program';
import { table } from '@steward/service-kit/text/layout';
import type { AnswerOf } from '@steward/shared/api/answers';
import { scheduleEndpoints } from '@steward/shared/api/endpoints/schedules';
import { oneLine } from '@steward/shared/chat/line';
import { apiCommand, onlyMessage } from './api-command.ts';

const { createSchedule, deleteSchedule, listSchedules, runSchedule } = scheduleEndpoints;

/** Schedules, for whoever has a terminal where the service runs. */
export const scheduleCommands: Readonly<Record<string, Command>> = {
  'schedules create': apiCommand<'createSchedule'>('schedules create', createSchedule, onlyMessage),
  'schedules list': apiCommand<'listSchedules'>('schedules list', listSchedules, ({ schedules }) => ({
    result: listOf(schedules),
  })),
  'schedules delete': apiCommand<'deleteSchedule'>('schedules delete', deleteSchedule, onlyMessage),
  // A service that is there for this command alone would end with it what runs for longer.
  'schedules run': apiCommand<'runSchedule'>(
    'schedules run',
    runSchedule,
    ({ message, run }) => ({
      result: message,
      isFailure: run.outcome === 'failed' || run.outcome === 'unknown',
    }),
    { needsService: true },
  ),
};

/** Each in a line of its own: a reason may be a game's, or a backup's, and have several. */
export function listOf(schedules: AnswerOf<'listSchedules'>['schedules']): string {
  if (schedules.length === 0) return 'There are no schedules';
  return table([
    ['NAME', 'ID', 'ACTION', 'WHEN', 'STATE', 'NEXT RUN', 'LAST RUN', 'OUTCOME', 'WHY'],
    ...schedules.map(({ name, id, action, state, reason, nextRun = '', lastRun, ...when }) => [
      name,
      id,
      action,
      when.cron === undefined ? `empty for ${when.emptyMinutes} min` : `${when.cron} ${when.timeZone}`,
      state,
      nextRun,
      lastRun?.at ?? 'never',
      lastRun === undefined ? '' : (lastRun.outcome ?? 'runs'),
      oneLine(reason ?? lastRun?.reason ?? ''),
    ]),
  ]);
}
