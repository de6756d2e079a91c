import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { backupFileEnds } from '@steward/shared/backups';
import { Program } from '@steward/testing/program';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { backupPlaces, leaveSave } from '../api/stage/left-backups.ts';
import { oneArchivist } from './stage/one-archivist.ts';

const kills = count({ small: 3, long: 200 });
const saveBytes = 4 * 1024 * 1024;

interface Listed {
  readonly backups: readonly { readonly id: string; readonly note: string }[];
  readonly unreadable: readonly object[];
}

async function service(env: NodeJS.ProcessEnv) {
  const program = new Program('packages/control-api/src/main.ts', ['serve'], env);
  const [, origin = ''] = await program.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  const create = async (name: string) => {
    const headers = { 'idempotency-key': name };
    const answer = await fetch(`${origin}/backups?note=${name}`, { method: 'POST', headers });
    return { status: answer.status, ...((await answer.json()) as { backup?: { id: string } }) };
  };
  const list = async () => (await (await fetch(`${origin}/backups`)).json()) as Listed;
  return { program, create, list, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

it('killed at any moment, what looks like a backup is one, and a retry makes the one that there is not', {
  timeout: 3_600_000,
}, async () => {
  using directory = temporaryDirectory();
  const places = backupPlaces(directory.path);
  leaveSave(places.GAME_SAVES_DIR, { padding: randomBytes(saveBytes / 2).toString('hex') });
  const env = {
    ...places,
    BACKUP_KEEP: '',
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    STATE_DIR: join(directory.path, 'state'),
    SETTINGS_PATH: join(directory.path, 'server-settings.json'),
    PLATFORM_AUTH_URL: '',
  };
  const random = seededRandom(seed);
  let longestMs = 0;
  for (let killed = 0; killed < kills; killed += 1) {
    const name = `kill-${killed}`;
    {
      await using api = await service(env);
      if (killed === 0) {
        const begun = performance.now();
        expect(await api.create('whole')).toMatchObject({ status: 200 });
        longestMs = performance.now() - begun;
      }
      const asked = api.create(name).catch(() => undefined);
      await pause(random() * longestMs);
      api.program.kill('SIGKILL');
      await Promise.all([asked, api.program.exited]);
    }
    await using again = await service(env);
    const before = await again.list();
    expect(before.unreadable).toEqual([]);
    const files = before.backups.map(({ id }) => `${id}${backupFileEnds}`);
    expect(readdirSync(places.BACKUP_DIR).toSorted()).toEqual(files.toSorted());
    const there = before.backups.filter(({ note }) => note === name);
    for (const { id } of there) await oneArchivist.verify(join(places.BACKUP_DIR, `${id}${backupFileEnds}`));
    const { status, backup } = await again.create(name);
    expect(status).toBe(200);
    if (there.length > 0) expect(backup?.id).toBe(there[0]?.id);
    const after = await again.list();
    expect(after.backups.filter(({ note }) => note === name)).toHaveLength(1);
  }
});
