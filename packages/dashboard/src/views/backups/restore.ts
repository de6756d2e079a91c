import type { Event } from '@steward/client';
import { serverNow } from '../../farm/clock.ts';

export type RestoreStep = Extract<Event, { type: 'backups.restoring' }>['data']['step'];

/** A restore that is under way, or has just ended. */
export interface Restore {
  readonly backupId: string;
  readonly step: RestoreStep;
  readonly end?: Omit<Ended, 'backupId'> & { readonly isRestored: boolean };
}

interface Ended {
  readonly backupId: string;
  readonly reason?: string | undefined;
  readonly remedy?: string | undefined;
}

/** How long its end is shown. */
const shownMs = 10 * 60_000;

/** The last one, where it goes on still or has ended a moment ago. */
export function restoreOf(events: readonly Event[], now: number = serverNow()): Restore | undefined {
  let last: Restore | undefined;
  for (const event of events) {
    if (event.type === 'backups.restoring') last = { backupId: event.data.backupId, step: event.data.step };
    else if (event.type === 'backups.restored' || event.type === 'backups.restoreFailed') {
      const { backupId, reason, remedy }: Ended = event.data;
      const isLong = now - Date.parse(event.at) > shownMs;
      last = isLong
        ? undefined
        : {
            backupId,
            step: last?.step ?? 'starting-game',
            end: { isRestored: event.type === 'backups.restored', reason, remedy },
          };
    }
  }
  return last;
}

/** The last try to make a backup, where it failed: it may have gone on long after who asked was answered. */
export function failureOf(events: readonly Event[]): Extract<Event, { type: 'backups.failed' }> | undefined {
  const last = events.findLast(({ type }) => type === 'backups.made' || type === 'backups.failed');
  return last?.type === 'backups.failed' ? last : undefined;
}
