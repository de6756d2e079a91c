import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { OwnershipFile } from '../src/ownership/ownership-file.ts';

/** What a start looks at in STATE_DIR, where a game may write, too; and by what words the operator hears of it. */
const told = {
  'restore.json': /restore\.json cannot be read \(it is not a file\)/,
  'drain.json': /the record of a drain cannot be read/,
  'farm-origins.json': /farm-origins\.json cannot be read/,
  'bans.json': /bans\.json cannot be read \(it is not a file\)/,
  'server-settings.json': /server-settings\.json.*it is not a file/,
  'steward.cursor': /steward\.cursor: it is not a file/,
};

/** What it writes there without having to. */
const written = ['steward.cursor', 'steward.holder.json', '.writable'];

function serving(directory: string): Program {
  for (const name of ['backups', 'saves']) mkdirSync(join(directory, name), { recursive: true });
  const state = join(directory, 'state');
  return new Program('packages/control-api/src/main.ts', [], {
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    STATE_DIR: state,
    SETTINGS_PATH: join(state, 'server-settings.json'),
    BACKUP_DIR: join(directory, 'backups'),
    GAME_SAVES_DIR: join(directory, 'saves'),
    PLATFORM_AUTH_URL: '',
  });
}

function stateIn(directory: string): string {
  const state = join(directory, 'state');
  mkdirSync(state);
  return state;
}

describe('what a game puts into STATE_DIR in place of a file', () => {
  it('keeps no start waiting as a pipe, and the operator hears of it', async () => {
    using directory = temporaryDirectory();
    const state = stateIn(directory.path);
    const names = new Set([...Object.keys(told), ...written]);
    execFileSync(
      'mkfifo',
      [...names].map((name) => join(state, name)),
    );
    await using api = serving(directory.path);
    const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
    expect((await fetch(`${origin}/health`)).status).toBe(200);
    for (const words of Object.values(told)) await api.line(words);
    api.kill('SIGTERM');
    expect(await api.exited).toEqual({ code: 0, signal: null });
  });

  it('keeps no later start waiting, either, as a pipe beside the database', async () => {
    using directory = temporaryDirectory();
    const state = stateIn(directory.path);
    const beside = ['-journal', '-wal', '-shm'].map((ending) => join(state, `steward.db${ending}`));
    for (const isFirst of [true, false]) {
      if (!isFirst) execFileSync('mkfifo', beside);
      await using api = serving(directory.path);
      await api.line(/listening on/);
      expect([...api.stdout, ...api.stderr].join('\n')).not.toMatch(/steward\.db/);
      api.kill('SIGTERM');
      expect(await api.exited).toEqual({ code: 0, signal: null });
    }
    expect(beside.map((path) => existsSync(path))).toEqual([false, false, false]);
  });

  it('is refused in words where nobody can do without it', async () => {
    using directory = temporaryDirectory();
    execFileSync('mkfifo', [join(stateIn(directory.path), 'operations.jsonl')]);
    await using api = serving(directory.path);
    await api.line(/operations\.jsonl.* cannot be read \(it is not a file\)/);
    expect(await api.exited).toEqual({ code: 1, signal: null });
  });

  it('is not written through as a link, nor read without end', async () => {
    using directory = temporaryDirectory();
    const state = stateIn(directory.path);
    const kept = join(directory.path, 'kept');
    writeFileSync(kept, 'as it is');
    for (const name of written) symlinkSync(kept, join(state, name));
    const read = Object.entries(told).filter(([name]) => !written.includes(name));
    for (const [name] of read) symlinkSync('/dev/zero', join(state, name));
    await using api = serving(directory.path);
    await api.line(/listening on/);
    for (const [name] of read) await api.line(name === 'drain.json' ? told[name] : new RegExp(name));
    api.kill('SIGTERM');
    expect(await api.exited).toEqual({ code: 0, signal: null });
    expect(readFileSync(kept, 'utf8')).toBe('as it is');
  });

  it('is no map of owners', async () => {
    using directory = temporaryDirectory();
    const file = new OwnershipFile(directory.path);
    const places = ['pipe', 'link'].map((farmId) => file.path(farmId));
    for (const path of places) mkdirSync(dirname(path));
    execFileSync('mkfifo', [file.path('pipe')]);
    symlinkSync('/dev/zero', file.path('link'));
    const reason = (why: string) => ({ kind: 'closed', reason: `cannot be read (${why})` });
    expect(await file.read('pipe')).toEqual(reason('it is not a file'));
    expect(await file.read('link')).toEqual(reason('it is a link'));
  });
});

it('the lists and settings of an operator who links to them are read', async () => {
  using directory = temporaryDirectory();
  const state = stateIn(directory.path);
  const settings = join(directory.path, 'settings');
  writeFileSync(settings, '{ "server": { "maxPlayers": 3 } }\n');
  symlinkSync(settings, join(state, 'server-settings.json'));
  writeFileSync(join(directory.path, 'bans'), '{ "version": 1, "bans": [] }\n');
  symlinkSync(join(directory.path, 'bans'), join(state, 'bans.json'));
  await using api = serving(directory.path);
  const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  const answer = await (await fetch(`${origin}/settings`)).json();
  expect(answer).toMatchObject({ server: { maxPlayers: 3 } });
  expect(answer).not.toHaveProperty('problem');
  expect([...api.stdout, ...api.stderr].join('\n')).not.toMatch(/cannot be read|is not a list/);
});
