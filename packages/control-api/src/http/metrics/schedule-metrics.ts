import { readWhenAsked } from '@steward/service-kit/process/read-when-asked';
import type { Registry } from 'prom-client';
import type { Schedules } from '../../schedules/schedules.ts';
import type { Emptiness } from '../../status/emptiness.ts';

type Measured = Pick<Schedules, 'ended' | 'standing'>;

/** The schedules keep count themselves. Of their names there are as many as there may be schedules. */
export function measureSchedules(
  registry: Registry,
  schedules: Measured,
  emptiness: Pick<Emptiness, 'seconds'>,
): void {
  const { gauge, gaugeBy, counterBy } = readWhenAsked(registry);
  const bySchedule = (
    name: string,
    help: string,
    read: (standing: Measured['standing'][number]) => number | undefined,
  ) =>
    gaugeBy(`steward_schedule_${name}`, help, ['schedule'], () =>
      schedules.standing.map((standing) => [standing.name, read(standing)]),
    );
  counterBy('steward_schedule_runs_total', 'Runs of schedules, by outcome', ['outcome'], () =>
    Object.entries(schedules.ended),
  );
  bySchedule(
    'failing',
    '1 if the last run that a schedule began failed or is unknown, or if it is off; 0 if it succeeded',
    ({ isFailing }) => Number(isFailing),
  );
  bySchedule('lag_seconds', 'How late the last due run of a schedule started', ({ lagMs }) =>
    lagMs === undefined ? undefined : lagMs / 1_000,
  );
  bySchedule(
    'next_run_timestamp_seconds',
    'When a schedule runs next; absent while it is not known',
    ({ nextRun }) => (nextRun === undefined ? undefined : nextRun / 1_000),
  );
  gauge(
    'steward_farm_empty_seconds',
    'Seconds since the last player left; 0 while somebody is online, or if it is unknown',
    () => emptiness.seconds,
  );
}
