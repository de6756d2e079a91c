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
    help: 'Backups that lie in BACKUP_DIR and can be read',
    value: ({ count }) => count,
  },
  {
    name: 'steward_backups_unreadable',
    help: 'Files in BACKUP_DIR that look like a backup and cannot be read as one',
    value: ({ unreadable }) => unreadable,
  },
  {
    name: 'steward_backup_bytes',
    help: 'What all backups in BACKUP_DIR take',
    value: ({ bytes }) => bytes,
  },
  {
    name: 'steward_backup_newest_age_seconds',
    help: 'Since the newest backup was made; absent where there is none',
    value: ({ newestAt }, now) => newestAt && (now.getTime() - newestAt.getTime()) / msPerSecond,
  },
  {
    name: 'steward_backup_last_succeeded',
    help: '1 where the last backup that this process began was made, 0 where it was not; absent before the first',
    value: ({ last }) => last && Number(last.isMade),
  },
  {
    name: 'steward_backup_last_duration_seconds',
    help: 'How long the last backup took that this process began; absent before the first',
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
    help: 'Backups that this process has begun, by whether they were made or failed',
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
