import type { DatabaseSync } from 'node:sqlite';
import type { MissedPolicy, RunOutcome, ScheduleActionName } from '@steward/shared/api/schedule-parameters';
import type { OperationWrite, operationWriter } from './operations.ts';

/** When a schedule is due: by cron, or once nobody has been online for so long. */
export type KeptTrigger =
  | { readonly cron: string; readonly timeZone: string; readonly missed: MissedPolicy }
  | { readonly emptyMinutes: number };

export interface ScheduleDefinition {
  readonly id: string;
  readonly name: string;
  readonly action: ScheduleActionName;
  /** What the action is told, as it was read from the query. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly trigger: KeptTrigger;
  /** With whose right it acts: the name of the key, and its id where it is not the owner's. */
  readonly madeBy: string;
  readonly keyId: string | null;
  /** Milliseconds since 1970, as all times here. */
  readonly createdAt: number;
}

/** One time that it was run, or passed over. */
export interface KeptRun {
  readonly at: number;
  readonly dueAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** Undefined of one that has begun and not ended. */
  readonly outcome?: RunOutcome | undefined;
  readonly operationId?: string | undefined;
  readonly reason?: string | undefined;
  /** It is done a second time, as the end of this service cut off the first. */
  readonly isAgain?: boolean | undefined;
  /** Of one that was missed, or is under way: why the run before it failed, or is unknown. */
  readonly failedBefore?: string | undefined;
}

/** How far it has come. What was due up to "doneTo" was done or passed over. */
export interface ScheduleProgress {
  readonly doneTo: number;
  /** Why it does nothing any more, where that is so. */
  readonly off: string | null;
  readonly run: KeptRun | null;
}

export interface KeptSchedule extends ScheduleDefinition, ScheduleProgress {}

/** Schedules as they are from now on, and the operation that it was: all or nothing. */
export interface SchedulesWrite {
  readonly kind: 'schedules';
  readonly put: readonly KeptSchedule[];
  readonly forget: readonly string[];
  readonly operation: OperationWrite;
}

export interface SchedulesMoved {
  readonly kind: 'schedules-moved';
  readonly moved: readonly ({ readonly id: string } & ScheduleProgress)[];
}

/** What writes schedules; each may be done again after it was done. */
export function scheduleWriter(
  database: DatabaseSync,
  operations: Pick<ReturnType<typeof operationWriter>, 'keep'>,
) {
  const put = database.prepare(
    'insert or replace into schedules values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const forget = database.prepare('delete from schedules where id = ?');
  // One that is gone meanwhile stays gone.
  const move = database.prepare('update schedules set done_to = ?, off = ?, run = ? where id = ?');
  const writer = {
    put({ trigger, ...each }: KeptSchedule): void {
      const cron = 'cron' in trigger ? trigger : undefined;
      put.run(
        each.id,
        each.name,
        each.action,
        JSON.stringify(each.parameters),
        cron?.cron ?? null,
        cron?.timeZone ?? null,
        cron?.missed ?? null,
        'emptyMinutes' in trigger ? trigger.emptyMinutes : null,
        each.madeBy,
        each.keyId,
        each.createdAt,
        each.doneTo,
        each.off,
        runText(each),
      );
    },
    keep({ put: schedules, forget: forgotten, operation }: SchedulesWrite): number {
      for (const schedule of schedules) writer.put(schedule);
      for (const id of forgotten) forget.run(id);
      operations.keep(operation);
      return schedules.length;
    },
    move({ moved }: SchedulesMoved): number {
      for (const each of moved) move.run(each.doneTo, each.off, runText(each), each.id);
      return moved.length;
    },
  };
  return writer;
}

/** All that are kept, in the order in which they were made. */
export function keptSchedules(database: DatabaseSync): KeptSchedule[] {
  const rows = database
    .prepare(
      `select id, name, action, parameters, cron, time_zone as timeZone, missed, empty_minutes as emptyMinutes,
        made_by as madeBy, key_id as keyId, created_at as createdAt, done_to as doneTo, off, run
        from schedules order by created_at, rowid`,
    )
    .all();
  // A strict table holds what its columns say, and nobody else writes it.
  return rows.map(({ parameters, run, cron, timeZone, missed, emptyMinutes, ...rest }) => ({
    ...rest,
    parameters: JSON.parse(String(parameters)),
    trigger: cron === null ? { emptyMinutes } : { cron, timeZone, missed },
    run: run === null ? null : JSON.parse(String(run)),
  })) as unknown as KeptSchedule[];
}

function runText({ run }: ScheduleProgress): string | null {
  return run === null ? null : JSON.stringify(run);
}
