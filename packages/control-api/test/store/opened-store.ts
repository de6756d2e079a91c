import { randomBytes } from 'node:crypto';
import type { Clock } from '@steward/service-kit/clock';
import { systemClock } from '@steward/service-kit/clock';
import { NewerFiles } from '../../src/store/directory/newer-files.ts';
import { Store, type StoreParts } from '../../src/store/store.ts';
import { kind } from './opened-log.ts';

export interface Line {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

/** A store as the service has it, with its log, and all that it said. */
export function openedStore(directory: string, parts: Partial<StoreParts> & { readonly clock?: Clock } = {}) {
  const lines: Line[] = [];
  const failures: unknown[] = [];
  const log = {
    info: (_facts: object, message: string) => lines.push({ level: 'info', message }),
    warn: (_facts: object, message: string) => lines.push({ level: 'warn', message }),
    error: (_facts: object, message: string) => lines.push({ level: 'error', message }),
  };
  const store = new Store({
    directory,
    clock: systemClock,
    log,
    newerFiles: new NewerFiles(log),
    disk: { failed: (error) => failures.push(error) },
    newEpoch: () => randomBytes(6).toString('hex'),
    keep: { events: { days: 30, count: 1_000_000 }, samples: { days: 400 }, audit: { days: 400 } },
    ...parts,
  });
  const events = store.eventLog(kind);
  store.open();
  return { store, events, lines, failures };
}
