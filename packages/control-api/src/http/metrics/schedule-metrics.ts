import { Counter, Gauge, type Registry } from 'prom-client';
import type { Schedules } from '../../schedules/schedules.ts';
import type { Emptiness } from '../../status/emptiness.ts';

type Measured = Pick<Schedules, 'ended' | 'standing'>;

/** The schedules keep count themselves; Prometheus reads when it asks. Of their names there are as many as there may be schedules. */
export function measureSchedules(
  registry: Registry,
  schedules: Measured,
  emptiness: Pick<Emptiness, 'seconds'>,
): void {
  const registers = [registry];
  new Counter({
    name: 'steward_schedule_runs_total',
    help: 'Runs of schedules, by outcome',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(schedules.ended)) this.inc({ outcome }, count);
    },
  });
  for (const { name, help, value } of gauges)
    new Gauge({
      name: `steward_schedule_${name}`,
      help,
      labelNames: ['schedule'],
      registers,
      collect() {
        this.reset();
        for (const standing of schedules.standing) {
          const found = value(standing);
          if (found !== undefined) this.set({ schedule: standing.name }, found);
        }
      },
    });
  new Gauge({
    name: 'steward_farm_empty_seconds',
    help: 'Seconds since the last player left; 0 while somebody is online, or if it is unknown',
    registers,
    collect() {
      this.set(emptiness.seconds);
    },
  });
}

interface ScheduleGauge {
  readonly name: string;
  readonly help: string;
  readonly value: (standing: Measured['standing'][number]) => number | undefined;
}

const gauges: readonly ScheduleGauge[] = [
  {
    name: 'failing',
    help: '1 if the last run of a schedule failed or is unknown, or if it is off; 0 if it succeeded',
    value: ({ isFailing }) => Number(isFailing),
  },
  {
    name: 'lag_seconds',
    help: 'How late the last due run of a schedule started',
    value: ({ lagMs }) => (lagMs === undefined ? undefined : lagMs / 1_000),
  },
  {
    name: 'next_run_timestamp_seconds',
    help: 'When a schedule runs next; absent while it is not known',
    value: ({ nextRun }) => (nextRun === undefined ? undefined : nextRun / 1_000),
  },
];
