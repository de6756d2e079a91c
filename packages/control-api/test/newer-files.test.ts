import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';

/** As a version after this one may leave them: nothing but the version is as it was. */
const left = {
  'operations.jsonl': '{"version":2}\n[["1","saved"]]\n{"id":"1","st',
  'farm-origins.json': '{ "version": 2, "origins": [] }',
  'server-settings.json': '// by a newer version\n{ "version": 2, "everything": { "else": true, }, }\n',
};

it('files of a newer version are left byte for byte, and the service runs and says which, why, and how to fix it', async () => {
  using directory = temporaryDirectory();
  for (const [name, text] of Object.entries(left)) writeFileSync(join(directory.path, name), text);
  await using api = new Program('packages/control-api/src/main.ts', [], {
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    STATE_DIR: directory.path,
    SETTINGS_PATH: join(directory.path, 'server-settings.json'),
    PLATFORM_AUTH_URL: '',
  });
  const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  const get = async (path: string) => (await fetch(`${origin}${path}`)).json();

  const words = expect.stringMatching(/was written by a newer version .*format 2; this one reads up to 1/);
  const remedy = expect.stringContaining('docs/upgrades.md');
  expect(await get('/status')).toMatchObject({
    unreadFiles: [
      { path: join(directory.path, 'farm-origins.json'), reason: words, remedy },
      { path: join(directory.path, 'operations.jsonl'), reason: words, remedy },
    ],
  });
  expect(await get('/settings')).toMatchObject({ server: { maxPlayers: 10 }, problem: words });
  for (const name of Object.keys(left)) await api.line(new RegExp(`${name}.*newer version.*format 2`));

  const post = (path: string, headers = {}) => fetch(`${origin}${path}`, { method: 'POST', headers });
  const settings = await post('/settings?maxPlayers=3');
  expect([settings.status, await settings.json()]).toMatchObject([409, { code: 'settings-unreadable' }]);
  const maybeRetry = await post('/time?value=700', { 'idempotency-key': 'k' });
  expect([maybeRetry.status, await maybeRetry.json()]).toMatchObject([503, { code: 'state-unreadable' }]);
  expect((await post('/time?value=700')).status).toBe(503);

  api.kill('SIGTERM');
  expect(await api.exited).toEqual({ code: 0, signal: null });
  for (const [name, text] of Object.entries(left))
    expect(readFileSync(join(directory.path, name), 'utf8')).toBe(text);
  const own = ['steward.cursor', 'steward.db', 'steward.holder.json', 'steward.lock'];
  expect(readdirSync(directory.path).sort()).toEqual([...Object.keys(left), ...own].sort());
});
