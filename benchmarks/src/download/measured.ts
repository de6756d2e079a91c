import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { peakMb } from '../memory.ts';
import type { Served } from './serve-depots.ts';

export interface Measured {
  readonly mbPerSecond: number;
  readonly peakMb: number;
  readonly loopDelayP99Ms: number;
}

const mb = 1_000_000;
const nsPerMs = 1_000_000;
/** Finer than what is looked for by far. */
const resolutionMs = 2;

/** What a measured process does with its one message: fetch everything into a directory, and say how it went. */
export function answerOnce(
  fetchAll: (served: Served, directory: string, begin: () => void) => Promise<void>,
): void {
  process.once('message', async (served: Served) => {
    const directory = mkdtempSync(join(tmpdir(), 'steward-bench-download-'));
    const delay = monitorEventLoopDelay({ resolution: resolutionMs });
    let began = performance.now();
    // What comes before is logging in, which is no part of the comparison.
    const begin = (): void => {
      began = performance.now();
      delay.enable();
    };
    try {
      await fetchAll(served, directory, begin);
      const ms = performance.now() - began;
      const measured: Measured = {
        mbPerSecond: served.bytes / mb / (ms / 1_000),
        peakMb: peakMb(process.pid),
        // The histogram counts the wait that was asked for as well.
        loopDelayP99Ms: Math.max(delay.percentile(99) / nsPerMs - resolutionMs, 0),
      };
      process.send?.(measured);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
  process.once('disconnect', () => process.exit());
}
