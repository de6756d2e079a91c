import { join } from 'node:path';
import { diskLibrary } from '@steward/testing/disk-library';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';

const syncMs = 200;
const writers = 20;

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
    // The thread that writes takes a moment to begin.
    await took('/time?value=700', 'POST');
    let isOver = false;
    const start = performance.now();
    const writing = Promise.all(Array.from({ length: writers }, () => took('/time?value=700', 'POST')))
      .then(() => performance.now() - start)
      .finally(() => {
        isOver = true;
      });
    const reads: number[] = [];
    while (!isOver) reads.push(await took('/status'));
    const writingMs = await writing;
    reads.sort((one, other) => one - other);
    const readMs = reads[Math.floor(reads.length * 0.9)] ?? syncMs;
    expect(readMs).toBeLessThan(syncMs / 4);
    expect(writingMs).toBeGreaterThan(syncMs);
    expect(writingMs).toBeLessThan(6 * syncMs);
  },
);
