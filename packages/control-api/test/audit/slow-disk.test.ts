import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { diskLibrary } from '@steward/testing/disk-library';
import { Program } from '@steward/testing/program';
import { median, quantile } from '@steward/testing/quantile';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';

const syncMs = 200;
const writers = 20;
const rounds = 3;

it.runIf(process.platform === 'linux')(
  'a disk that takes 200 ms a sync delays writes by syncs that they share, and no read',
  async () => {
    using directory = temporaryDirectory();
    using state = temporaryDirectory();
    await using api = new Program('packages/control-api/src/main.ts', [], {
      API_HOST: '127.0.0.1',
      API_PORT: '0',
      STATE_DIR: state.path,
      SETTINGS_PATH: join(state.path, 'server-settings.json'),
      PLATFORM_AUTH_URL: '',
      ...diskLibrary(directory.path),
      SLOW_SYNC_MS: String(syncMs),
    });
    const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
    const took = async (path: string, method = 'GET') => {
      const start = performance.now();
      const answer = await fetch(`${origin}${path}`, { method });
      await answer.arrayBuffer();
      return performance.now() - start;
    };
    /** What reads take meanwhile. */
    const readingWhile = async (what: Promise<unknown>) => {
      let isOver = false;
      const over = what.finally(() => {
        isOver = true;
      });
      const reads: number[] = [];
      while (!isOver) reads.push(await took('/status'));
      await over;
      return quantile(reads, 0.9);
    };
    // The thread that writes takes a moment to begin.
    await took('/time?value=700', 'POST');
    const [quiet, busy, writing]: [number[], number[], number[]] = [[], [], []];
    // In turn, on the machine as it is now: what else it does delays both.
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(await readingWhile(setTimeout(syncMs)));
      const start = performance.now();
      const writes = Array.from({ length: writers }, () => took('/time?value=700', 'POST'));
      busy.push(await readingWhile(Promise.all(writes)));
      writing.push(performance.now() - start);
    }
    expect(median(busy)).toBeLessThan(median(quiet) + syncMs / 4);
    expect(median(writing)).toBeGreaterThan(syncMs);
    expect(median(writing)).toBeLessThan(6 * syncMs);
  },
);
