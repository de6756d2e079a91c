import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskLibrary } from '@steward/testing/disk-library';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { environmentOf, meadow, placesIn } from '../backups/stage/restore-stage.ts';
import { plant } from '../backups/stage/trees.ts';

interface Read {
  readonly operations: { readonly operationId: string; readonly command: string }[];
  readonly lines: { readonly door: string }[];
  readonly state: string;
  readonly code?: string;
}

it.runIf(process.platform === 'linux')(
  'a run that was asked for and killed is told by its backup in the audit, and not done again for a retry',
  async () => {
    using directory = temporaryDirectory();
    const places = placesIn(directory.path);
    plant(places.saves, { [`${meadow}/SaveGameInfo`]: 'then', [`${meadow}/${meadow}`]: 'then' });
    mkdirSync(places.backups);
    const held = join(directory.path, 'held');
    const started = async (more: Record<string, string> = {}) => {
      const environment = { ...environmentOf(places), API_HOST: '127.0.0.1', API_PORT: '0', ...more };
      const api = new Program('packages/control-api/src/main.ts', [], environment);
      const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
      const ask = async (path: string, method = 'GET') => {
        const headers = { 'idempotency-key': path };
        return (await (await fetch(`${origin}${path}`, { method, headers })).json()) as Read;
      };
      return { api, ask };
    };
    const run = '/schedules/run?name=nightly';
    let id: string | undefined;
    {
      const { api, ask } = await started({ ...diskLibrary(directory.path), HELD_WHILE: held });
      await using _ = api;
      await ask('/schedules?name=nightly&action=backup&cron=0+5+29+2+*', 'POST');
      // However late somebody looks, the archive is not complete.
      writeFileSync(held, '');
      void ask(run, 'POST').catch(() => {});
      const isCopying = () => readdirSync(places.backups).some((name) => name.endsWith('.part'));
      await expect.poll(isCopying, { interval: 5, timeout: 30_000 }).toBe(true);
      id = (await ask('/operations')).operations.find(
        ({ command }) => command === 'createBackup',
      )?.operationId;
      api.kill('SIGKILL');
      await api.exited;
    }
    const { api, ask } = await started();
    await using _ = api;
    expect(await ask(run, 'POST')).toMatchObject({ code: 'outcome-unknown' });
    const { operations } = await ask('/operations');
    const asked = operations.find(({ command }) => command === 'runSchedule');
    // Nobody waits for what nobody will ever know.
    expect(await ask(`/operations/${asked?.operationId}`)).toMatchObject({
      state: 'unknown',
      forGood: true,
      why: expect.stringContaining('lastRun'),
    });
    expect(operations.filter(({ command }) => command === 'createBackup')).toHaveLength(1);
    const { state } = await ask(`/operations/${id}`);
    expect(state).toBe('void');
    const about = { actor: 'schedule nightly', operationId: id };
    await expect
      .poll(async () =>
        (await ask('/audit?action=runSchedule')).lines.filter(({ door }) => door === 'schedule'),
      )
      .toMatchObject([
        { ...about, outcome: state },
        { ...about, outcome: 'unknown', interrupted: true },
      ]);
  },
  120_000,
);
