import type { Clock } from '@steward/service-kit/clock';
import { readWhenAsked } from '@steward/service-kit/process/read-when-asked';
import type { Registry } from 'prom-client';
import type { Backups } from '../../backups/backups.ts';

const msPerSecond = 1_000;

/** Where backups are off there is nothing to measure, and nothing to be alarmed about. */
export function measureBackups(
  registry: Registry,
  backups: Pick<Backups, 'isOn' | 'standing'>,
  clock: Pick<Clock, 'date'>,
): void {
  if (!backups.isOn) return;
  const { gauge, counterBy } = readWhenAsked(registry);
  gauge('steward_backups', 'Readable backups in BACKUP_DIR', () => backups.standing.count);
  gauge(
    'steward_backups_unreadable',
    'Files in BACKUP_DIR that look like a backup but cannot be read',
    () => backups.standing.unreadable,
  );
  gauge('steward_backup_bytes', 'Size of all backups in BACKUP_DIR', () => backups.standing.bytes);
  gauge(
    'steward_backup_newest_age_seconds',
    'Seconds since the newest backup; absent if there is none',
    () => {
      const { newestAt, count } = backups.standing;
      // Where all are dated in the future nobody knows how old they are.
      if (newestAt === undefined && count > 0) return Number.POSITIVE_INFINITY;
      return newestAt && (clock.date().getTime() - newestAt.getTime()) / msPerSecond;
    },
  );
  gauge(
    'steward_backup_last_succeeded',
    '1 if the last backup of this process succeeded, 0 if it failed; absent before the first',
    () => backups.standing.last && Number(backups.standing.last.isMade),
  );
  gauge(
    'steward_backup_last_duration_seconds',
    'Duration of the last backup of this process; absent before the first',
    () => backups.standing.last && backups.standing.last.ms / msPerSecond,
  );
  counterBy(
    'steward_backup_outcomes_total',
    'Backups of this process, by outcome: made or failed',
    ['outcome'],
    () => {
      const { made, failed } = backups.standing;
      return Object.entries({ made, failed });
    },
  );
}
