import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskLibrary } from '@steward/testing/disk-library';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { backupLimits } from '../../src/backups/backups.ts';
import { openApi } from '../api/stage/open-api.ts';
import { eventually, linesOf } from '../audit/stage/lines.ts';
import { PlayedArchivist } from './stage/played-archivist.ts';
import { environmentOf, meadow, placesIn } from './stage/restore-stage.ts';
import { plant } from './stage/trees.ts';

const asked = { actor: 'open', action: 'createBackup', parameters: { note: 'a' } };

it('says that a backup goes on where that was the answer, and how it ended once it has', async () => {
  const archivist = new PlayedArchivist();
  await using api = await openApi({ leftBackups: [], archivist });
  const { promise, resolve } = Promise.withResolvers<void>();
  archivist.meanwhile = () => promise;
  const asking = api.ask('POST', '/backups?note=a');
  await archivist.firstBegun;
  api.clock.advance(backupLimits.answerMs);
  const { statusCode, exact } = await asking;
  expect(statusCode).toBe(202);
  const begun = { ...asked, outcome: 'unknown', operationId: exact['operationId'] };
  expect(await linesOf(api)).toEqual([expect.objectContaining(begun)]);
  resolve();
  await eventually(api, '', [{ ...begun, outcome: 'applied' }, begun]);
});

it('says that one did not come to be that failed after its answer', async () => {
  const archivist = new PlayedArchivist();
  await using api = await openApi({ leftBackups: [], archivist });
  const { promise, reject } = Promise.withResolvers<void>();
  archivist.meanwhile = () => promise;
  const asking = api.ask('POST', '/backups?note=a');
  await archivist.firstBegun;
  api.clock.advance(backupLimits.answerMs);
  expect((await asking).statusCode).toBe(202);
  reject(new Error('the disk is gone'));
  await eventually(api, '', [
    { ...asked, outcome: 'void' },
    { ...asked, outcome: 'unknown' },
  ]);
});

interface Read {
  readonly operations: { readonly operationId: string; readonly command: string }[];
  readonly lines: object[];
  readonly state: string;
}

it.runIf(process.platform === 'linux').each(['createBackup', 'restoreBackup'])(
  'says of a %s that was killed how that ended',
  async (command) => {
    using directory = temporaryDirectory();
    const places = placesIn(directory.path);
    plant(places.saves, { [`${meadow}/SaveGameInfo`]: 'then', [`${meadow}/${meadow}`]: 'then' });
    mkdirSync(places.backups);
    const held = join(directory.path, 'held');
    const started = (more: Record<string, string> = {}) =>
      new Program('packages/control-api/src/main.ts', [], {
        ...environmentOf(places),
        API_HOST: '127.0.0.1',
        API_PORT: '0',
        ...more,
      });
    const asking = async (api: Program) => {
      const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
      return async (path: string, method = 'GET') =>
        (await (await fetch(`${origin}${path}`, { method })).json()) as Read & { backup?: { id: string } };
    };
    let id: string | undefined;
    {
      await using api = started({ ...diskLibrary(directory.path), HELD_WHILE: held });
      const ask = await asking(api);
      const { backup } = command === 'restoreBackup' ? await ask('/backups', 'POST') : {};
      // However late somebody looks, the archive is not complete.
      writeFileSync(held, '');
      void ask(backup === undefined ? '/backups' : `/backups/restore?id=${backup.id}`, 'POST').catch(
        () => {},
      );
      // By then its first step is on the disk.
      const isCopying = () => readdirSync(places.backups).some((name) => name.endsWith('.part'));
      await expect.poll(isCopying, { interval: 5, timeout: 30_000 }).toBe(true);
      const { operations } = await ask('/operations');
      id = operations.find((each) => each.command === command)?.operationId;
      api.kill('SIGKILL');
      await api.exited;
    }
    await using api = started();
    const ask = await asking(api);
    const { state } = await ask(`/operations/${id}`);
    expect(state).toBe('void');
    const about = { actor: 'open', action: command, operationId: id };
    await expect
      .poll(async () => (await ask(`/audit?action=${command}`)).lines)
      .toMatchObject([
        { ...about, outcome: state },
        { ...about, outcome: 'unknown', interrupted: true },
      ]);
    const [last] = (await ask(`/audit?action=${command}`)).lines;
    expect(last).not.toHaveProperty('interrupted');
  },
  120_000,
);
