import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ThreadArchivist } from '@steward/control-api/backups/archive/thread-archivist';
import { peakMb, residentMb } from '../memory.ts';
import { packed } from './packed.ts';

/** What a backup costs the process that makes it. */
export interface Cost {
  /** What it had resident at the most, beyond what it had before. */
  readonly mb: number;
  /** The longest that anything else waited for its thread. */
  readonly waitMs: number;
}

// Makes a backup of a folder, in a process in which nothing else goes on, and says what it cost.
const [source = '', to = '', entry = ''] = process.argv.slice(2);
const delay = monitorEventLoopDelay({ resolution: 1 });
const before = residentMb(process.pid);
delay.enable();
await packed(new ThreadArchivist(new URL(entry)), source, to);
delay.disable();
const cost: Cost = { mb: peakMb(process.pid) - before, waitMs: delay.max / 1e6 };
process.stdout.write(`${JSON.stringify(cost)}\n`);
