import type { Clock } from '@steward/service-kit/clock';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { BackupStanding, Backups } from '../../backups/backups.ts';

const msPerSecond = 1_000;

interface Measure {
  readonly name: string;
  readonly help: string;
  /** Undefined where there is nothing to tell. */
  readonly value: (standing: BackupStanding, now: Date) => number | undefined;
}

const gauges: readonly Measure[] = [
  {
    name: 'steward_backups',
    help: 'Readable backups in BACKUP_DIR',
    value: ({ count }) => count,
  },
  {
    name: 'steward_backups_unreadable',
    help: 'Files in BACKUP_DIR that look like a backup but cannot be read',
    value: ({ unreadable }) => unreadable,
  },
  {
    name: 'steward_backup_bytes',
    help: 'Size of all backups in BACKUP_DIR',
    value: ({ bytes }) => bytes,
  },
  {
    name: 'steward_backup_newest_age_seconds',
    help: 'Seconds since the newest backup; absent if there is none',
    value: ({ newestAt }, now) => newestAt && (now.getTime() - newestAt.getTime()) / msPerSecond,
  },
  {
    name: 'steward_backup_last_succeeded',
    help: '1 if the last backup of this process succeeded, 0 if it failed; absent before the first',
    value: ({ last }) => last && Number(last.isMade),
  },
  {
    name: 'steward_backup_last_duration_seconds',
    help: 'Duration of the last backup of this process; absent before the first',
    value: ({ last }) => last && last.ms / msPerSecond,
  },
];

/** Where backups are off there is nothing to measure, and nothing to be alarmed about. */
export function measureBackups(
  registry: Registry,
  backups: Pick<Backups, 'isOn' | 'standing'>,
  clock: Pick<Clock, 'date'>,
): void {
  if (!backups.isOn) return;
  const registers = [registry];
  for (const { name, help, value } of gauges)
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const now = value(backups.standing, clock.date());
        if (now === undefined) this.remove();
        else this.set(now);
      },
    });
  new Counter({
    name: 'steward_backup_outcomes_total',
    help: 'Backups of this process, by outcome: made or failed',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { made, failed } = backups.standing;
      this.reset();
      this.inc({ outcome: 'made' }, made);
      this.inc({ outcome: 'failed' }, failed);
    },
  });
}
