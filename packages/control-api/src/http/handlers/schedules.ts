import {
  type ScheduleFacts,
  type ScheduleRun,
  scheduleFacts,
  scheduleRun,
} from '@steward/shared/api/answers/schedules';
import type { scheduleEndpoints } from '@steward/shared/api/endpoints/schedules';
import type { CommandResult } from '../../game/operations/operation.ts';
import { whichOf } from '../../store/named.ts';
import { appliedBy } from '../command-answers/game-command.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function scheduleHandlers({
  schedules,
}: Pick<HandlerParts, 'schedules'>): Handlers<keyof typeof scheduleEndpoints> {
  return {
    listSchedules: () => ({ schedules: schedules.list() }),
    async createSchedule({ query, caller, idempotencyKey }) {
      return done(await schedules.create(query, caller, idempotencyKey), madeSays);
    },
    async deleteSchedule({ query, caller, idempotencyKey }) {
      const result = await schedules.remove(whichOf(query), caller, idempotencyKey);
      return done(result, ({ name, action }) => `${name} is deleted: ${action} no longer runs automatically`);
    },
    async runSchedule({ query, caller, idempotencyKey }) {
      const result = await schedules.run(whichOf(query), caller, idempotencyKey);
      const run = scheduleRun.parse(appliedBy(result).outcome.after['run']);
      return { ...done(result, ({ name }) => ranSays(name, run)), run };
    },
  };
}

function done(result: CommandResult, says: (schedule: ScheduleFacts) => string) {
  const { operationId, outcome } = appliedBy(result);
  const schedule = scheduleFacts.parse(outcome.after['schedule']);
  return { success: true as const, message: says(schedule), operationId, schedule };
}

function madeSays({ name, action, nextRun, emptyMinutes }: ScheduleFacts): string {
  const when =
    emptyMinutes === undefined
      ? `is due next at ${nextRun}`
      : `is due ${emptyMinutes} minutes after the last player left`;
  return `${name}: ${action} ${when}`;
}

function ranSays(name: string, { outcome, reason }: ScheduleRun): string {
  if (outcome === 'applied') return `${name} has run`;
  if (outcome === undefined) return `${name} is running: GET /schedules shows how it ends`;
  return `${name} ${outcome === 'unknown' ? 'may have run' : 'failed'}: ${reason ?? 'no reason was given'}`;
}
