import { z } from 'zod';
import { timestamp } from '../../wire-values.ts';
import type { scheduleEndpoints } from '../endpoints/schedules.ts';
import { missedPolicies, runOutcomeNames, runOutcomes, scheduleActionNames } from '../schedule-parameters.ts';
import { type Answers, changed } from './parts.ts';

/** One time that a schedule was run, or was to be. */
export const scheduleRun = z
  .object({
    at: timestamp.meta({ description: 'When it started, or was skipped' }),
    dueAt: timestamp.optional().meta({ description: 'When it was due; absent if somebody started it' }),
    endedAt: timestamp.optional(),
    outcome: z
      .enum(runOutcomeNames)
      .optional()
      .meta({
        description: `Absent while it runs. ${Object.entries(runOutcomes)
          .map(([name, means]) => `${name}: ${means}`)
          .join('; ')}`,
      }),
    operationId: z
      .string()
      .optional()
      .meta({ description: 'The operation of this run, for GET /operations/{id}' }),
    reason: z.string().optional(),
  })
  .meta({ id: 'ScheduleRun' });

export type ScheduleRun = z.infer<typeof scheduleRun>;

export const scheduleFacts = z
  .object({
    id: z.string().meta({ examples: ['schedule_5b1f0c9a7d24'] }),
    name: z.string(),
    action: z.enum(scheduleActionNames),
    parameters: z.record(z.string(), z.unknown()).meta({ description: 'The parameters of the action' }),
    cron: z.string().optional(),
    timeZone: z.string().optional().meta({ description: 'The time zone of `cron`' }),
    missed: z.enum(missedPolicies).optional(),
    emptyMinutes: z.int().optional().meta({ description: 'Instead of `cron`' }),
    madeBy: z.string().meta({ description: 'The name of the key, `owner` or `open`' }),
    createdAt: timestamp,
    state: z.enum(['active', 'off']).meta({ description: 'off: the key that made it has ended' }),
    reason: z.string().optional().meta({ description: 'Why it is off' }),
    nextRun: timestamp.optional().meta({
      description:
        'When it runs next; absent if it is off, and with `emptyMinutes` while somebody is online, while it is unknown whether anybody is, and once it was due, until somebody has been online again',
    }),
    lastRun: scheduleRun.optional(),
  })
  .meta({ id: 'Schedule' });

export type ScheduleFacts = z.infer<typeof scheduleFacts>;

const answered = { ...changed, schedule: scheduleFacts };

export const scheduleAnswers = {
  listSchedules: { 200: z.object({ schedules: z.array(scheduleFacts) }).meta({ id: 'Schedules' }) },
  createSchedule: { 200: z.object(answered).meta({ id: 'ScheduleMade' }) },
  deleteSchedule: { 200: z.object(answered).meta({ id: 'ScheduleDeleted' }) },
  runSchedule: { 200: z.object({ ...answered, run: scheduleRun }).meta({ id: 'ScheduleRunNow' }) },
} satisfies Record<keyof typeof scheduleEndpoints, Answers>;
