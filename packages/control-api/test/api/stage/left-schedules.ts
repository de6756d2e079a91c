import type { DatabaseSync } from 'node:sqlite';
import { operationWriter } from '../../../src/store/tables/operations.ts';
import { type KeptSchedule, scheduleWriter } from '../../../src/store/tables/schedules.ts';
import { stageBegins } from './sampled.ts';

export interface LeftSchedule extends Partial<KeptSchedule> {
  readonly id: string;
  readonly name: string;
}

/** Leaves schedules behind, as an earlier process would. */
export function leaveSchedules(database: DatabaseSync, schedules: readonly LeftSchedule[]): void {
  const writer = scheduleWriter(database, operationWriter(database));
  for (const schedule of schedules) writer.put({ ...usual, ...schedule });
}

const ranAt = stageBegins - 60 * 60 * 1_000;

const usual = {
  action: 'rendering',
  parameters: { fps: 5 },
  trigger: { cron: '0 * * * *', timeZone: 'Europe/Berlin', missed: 'once' },
  madeBy: 'owner',
  keyId: null,
  createdAt: stageBegins - 24 * 60 * 60 * 1_000,
  doneTo: stageBegins,
  off: null,
  run: { at: ranAt, dueAt: ranAt, endedAt: ranAt + 40, outcome: 'applied', operationId: '900' },
} as const satisfies Omit<KeptSchedule, 'id' | 'name'>;
