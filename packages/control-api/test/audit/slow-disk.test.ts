import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskLibrary } from '@steward/testing/disk-library';
import { Program } from '@steward/testing/program';
import { median, quantile } from '@steward/testing/quantile';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';

const syncMs = 200;
const writers = 20;
const reads = 20;
const rounds = 3;
/** Less than a write waits for a disk that hangs, and more than any read takes that does not wait for it. */
const readWithinMs = 5_000;

it.runIf(process.platform === 'linux')(
  'a disk that takes 200 ms a sync delays writes by syncs that they share, and no read',
  async () => {
    using directory = temporaryDirectory();
    using state = temporaryDirectory();
    const stuck = join(directory.path, 'stuck');
    const synced = join(directory.path, 'synced');
    await using api = new Program('packages/control-api/src/main.ts', [], {
      API_HOST: '127.0.0.1',
      API_PORT: '0',
      STATE_DIR: state.path,
      SETTINGS_PATH: join(state.path, 'server-settings.json'),
      PLATFORM_AUTH_URL: '',
      ...diskLibrary(directory.path),
      SLOW_SYNC_MS: String(syncMs),
      STUCK_WHILE: stuck,
      SYNCS: synced,
    });
    const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
    const readMs = async () => {
      const start = performance.now();
      const answer = await fetch(`${origin}/status`, { signal: AbortSignal.timeout(readWithinMs) });
      await answer.arrayBuffer();
      return performance.now() - start;
    };
    const reading = async () => {
      const took: number[] = [];
      while (took.length < reads) took.push(await readMs());
      return quantile(took, 0.9);
    };
    let answered = 0;
    const write = async () => {
      const answer = await fetch(`${origin}/time?value=700`, { method: 'POST' });
      answered += 1;
      return (await answer.json()) as { readonly code?: string };
    };
    const syncs = () => statSync(synced).size;
    // The thread that writes takes a moment to begin.
    await write();
    const [quiet, busy, writing, shared]: [number[], number[], number[], number[]] = [[], [], [], []];
    // In turn, on the machine as it is now: what else it does delays both.
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(await reading());
      const [syncsBefore, answeredBefore] = [syncs(), answered];
      // It stands still until all have read: by then the processor has long done what the writes ask of it.
      writeFileSync(stuck, '');
      const writes = Promise.all(Array.from({ length: writers }, write));
      // Where a read fails first, that is what the test tells.
      writes.catch(() => {});
      await readMs();
      busy.push(await reading());
      expect(answered).toBe(answeredBefore);
      const start = performance.now();
      rmSync(stuck);
      // No game is connected: that a command was refused is a line of the audit, too.
      for (const answer of await writes) expect(answer).toMatchObject({ code: 'game-unavailable' });
      writing.push(performance.now() - start);
      shared.push(syncs() - syncsBefore);
    }
    expect(median(busy)).toBeLessThan(median(quiet) + syncMs / 4);
    expect(median(writing)).toBeGreaterThan(syncMs);
    expect(median(shared)).toBeLessThan(6);
  },
);
