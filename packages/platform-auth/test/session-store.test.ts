import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fileSteps } from '@steward/service-kit/files/replace-file';
import { Secret } from '@steward/service-kit/secret';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { ConfiguredAccount } from '../src/session/configured-account.ts';
import { SessionStore } from '../src/tokens/session-store.ts';

const date = new Date('2026-11-21T06:30:00.000Z');

function storeIn(
  directory: string,
  reports: string[] = [],
  changeMode: (path: string, mode: number) => Promise<void> = chmod,
): SessionStore {
  return new SessionStore({
    directory,
    clock: { date: () => date },
    report: (problem) => reports.push(problem),
    changeMode,
  });
}

function session(username: string, token: string) {
  return { username, token: new Secret(token) };
}

function mode(path: string): number {
  return statSync(path).mode & 0o777;
}

it('saves for the owner alone, under the name that the account has', async () => {
  using temporary = temporaryDirectory();
  const directory = join(temporary.path, 'deep', 'sessions');
  await storeIn(directory).save(session('Ann', 'token'));
  expect(readdirSync(directory)).toEqual(['session-Ann.json']);
  expect(mode(directory)).toBe(0o700);
  expect(mode(join(directory, 'session-Ann.json'))).toBe(0o600);
  expect(JSON.parse(readFileSync(join(directory, 'session-Ann.json'), 'utf8'))).toEqual({
    version: 1,
    username: 'Ann',
    refreshToken: 'token',
    savedAt: date.toISOString(),
  });
});

it('is not closed before a save under way is on the disk', async () => {
  using directory = temporaryDirectory();
  const disk = Promise.withResolvers<void>();
  const store = new SessionStore({
    directory: directory.path,
    clock: { date: () => date },
    report: () => {},
    steps: { ...fileSteps, flush: (file) => disk.promise.then(() => fileSteps.flush(file)) },
  });
  const saving = store.save(session('Ann', 'token'));
  const closing = store.close().then(() => 'closed');
  expect(await Promise.race([closing, new Promise((resolve) => setImmediate(resolve))])).toBeUndefined();
  disk.resolve();
  await closing;
  expect(readdirSync(directory.path)).toEqual(['session-Ann.json']);
  await saving;
});

it('takes away what others may do with what it finds', async () => {
  using temporary = temporaryDirectory();
  const directory = join(temporary.path, 'sessions');
  mkdirSync(directory, { mode: 0o755 });
  writeFileSync(join(directory, 'session-ann.json'), '{"username":"ann","refreshToken":"t"}', {
    mode: 0o644,
  });
  const store = storeIn(directory);
  expect((await store.find('ann'))?.token.reveal()).toBe('t');
  expect(mode(join(directory, 'session-ann.json'))).toBe(0o600);
  await store.save(session('ANN', 'u'));
  expect(mode(directory)).toBe(0o700);
  expect(readdirSync(directory)).toEqual(['session-ann.json']);
});

it('sets a corrupt file aside, tells of it, and goes on with the others', async () => {
  using temporary = temporaryDirectory();
  const reports: string[] = [];
  const store = storeIn(temporary.path, reports);
  await store.save(session('ann', 'token'));
  writeFileSync(join(temporary.path, 'session-bob.json'), '{"version":1,"usern');
  expect((await store.list()).map(({ username }) => username)).toEqual(['ann']);
  expect(readdirSync(temporary.path)).toContain('session-bob.json.corrupt-20261121063000000');
  expect(reports).toHaveLength(1);
  expect(reports[0]).toContain('corrupt');
});

it('leaves a file of a newer version alone', async () => {
  using temporary = temporaryDirectory();
  const reports: string[] = [];
  writeFileSync(join(temporary.path, 'session-ann.json'), '{"version":2}');
  const store = storeIn(temporary.path, reports);
  await store.list();
  expect(await store.list()).toEqual([]);
  expect(reports).toEqual([expect.stringMatching(/newer version.*format 2.*docs\/upgrades/)]);
  await expect(store.save(session('ann', 'token'))).rejects.toThrow(/newer version.*not replaced/);
  expect(await store.replace(session('bob', 'old'), session('bob', 'new'))).toBe('saved');
  expect(readdirSync(temporary.path)).toEqual(['session-ann.json', 'session-bob.json']);
  expect(readFileSync(join(temporary.path, 'session-ann.json'), 'utf8')).toBe('{"version":2}');
});

it('does not put a renewed token over what another process saved meanwhile', async () => {
  using temporary = temporaryDirectory();
  const store = storeIn(temporary.path);
  await store.save(session('ann', 'old'));
  await storeIn(temporary.path).save(session('ann', 'from a new login'));
  expect(await store.replace(session('ann', 'old'), session('ann', 'renewed'))).toBe('superseded');
  expect((await store.find('ann'))?.token.reveal()).toBe('from a new login');
});

describe('a copy beside the file of an account', () => {
  it('is not used and told of once, while renewed tokens go to the file itself', async () => {
    using temporary = temporaryDirectory();
    const reports: string[] = [];
    const store = storeIn(temporary.path, reports);
    const files = ['session-steward.json', 'session-steward-old.json', 'session-backup.json'] as const;
    const [own, ...copies] = files.map((name) => join(temporary.path, name));
    await store.save(session('steward', 'first'));
    for (const copy of copies) copyFileSync(own ?? '', copy);
    expect(await store.replace(session('steward', 'first'), session('steward', 'second'))).toBe('saved');
    expect(await store.replace(session('steward', 'second'), session('steward', 'third'))).toBe('saved');
    expect((await store.list()).map(({ token }) => token.reveal())).toEqual(['third']);
    for (const copy of copies) expect(readFileSync(copy, 'utf8')).toContain('"first"');
    expect(reports).toEqual([expect.stringMatching(/not used.*session-<account>\.json/)]);
  });

  it('is not told of any more once the last one is gone, and is again when there is another', async () => {
    using temporary = temporaryDirectory();
    const told: string[] = [];
    const store = new SessionStore({
      directory: temporary.path,
      clock: { date: () => date },
      report: () => told.push('there'),
      mended: () => told.push('gone'),
    });
    await store.save(session('steward', 'token'));
    const [own, ...copies] = ['', '-old', '-backup'].map((more) =>
      join(temporary.path, `session-steward${more}.json`),
    );
    for (const copy of copies) copyFileSync(own ?? '', copy);
    for (const copy of copies) {
      await store.list();
      expect(told).toEqual(['there']);
      rmSync(copy);
    }
    for (const _ of [1, 2]) await store.list();
    expect(told).toEqual(['there', 'gone']);
    copyFileSync(own ?? '', copies[0] ?? '');
    await store.list();
    expect(told).toEqual(['there', 'gone', 'there']);
  });

  it('leaves one account to choose from', async () => {
    using temporary = temporaryDirectory();
    const store = storeIn(temporary.path);
    await store.save(session('steward', 'token'));
    copyFileSync(
      join(temporary.path, 'session-steward.json'),
      join(temporary.path, 'session-steward copy.json'),
    );
    const nothingSet = {
      PLATFORM_USERNAME: undefined,
      PLATFORM_PASSWORD: undefined,
      PLATFORM_REFRESH_TOKEN: undefined,
    };
    const account = new ConfiguredAccount(nothingSet, store);
    await expect(account.check()).resolves.toBeUndefined();
    expect(await account.sources()).toHaveLength(1);
  });

  it('may be its own file under a name that the existing sidecar gave it', async () => {
    using temporary = temporaryDirectory();
    const reports: string[] = [];
    const store = storeIn(temporary.path, reports);
    const theirs = join(temporary.path, 'session-ann@example.com.json');
    writeFileSync(theirs, '{"username":"ann@example.com","refreshToken":"t"}');
    await store.save(session('Ann@example.com', 'u'));
    expect((await store.list()).map(({ token }) => token.reveal())).toEqual(['u']);
    expect(readdirSync(temporary.path)).toEqual(['session-ann@example.com.json']);
    expect(reports).toEqual([]);
    copyFileSync(theirs, join(temporary.path, 'session-ann%40example.com.json'));
    await store.save(session('ann@example.com', 'v'));
    expect((await store.find('ann@example.com'))?.token.reveal()).toBe('v');
    expect(readFileSync(theirs, 'utf8')).toContain('"u"');
  });
});

it.each([
  ['EROFS', 0o644],
  ['EPERM', 0o640],
])('reads what it cannot close to others (%s), and says so once', async (code, bits) => {
  using temporary = temporaryDirectory();
  const reports: string[] = [];
  const store = storeIn(temporary.path, reports, async () => {
    throw Object.assign(new Error(code), { code });
  });
  const path = join(temporary.path, 'session-ann.json');
  writeFileSync(path, '{"username":"ann","refreshToken":"t"}');
  chmodSync(path, bits);
  for (const _ of [1, 2]) expect((await store.find('ann'))?.token.reveal()).toBe('t');
  expect(reports).toEqual([`A session file is open to others, and its mode cannot be changed (${code})`]);
});

it('takes back that a file cannot be read once none is there that cannot, though others were told of in the same words', async () => {
  using temporary = temporaryDirectory();
  const told: string[] = [];
  const store = new SessionStore({
    directory: temporary.path,
    clock: { date: () => date },
    report: (problem) => told.push(problem),
    mended: (problem) => told.push(`no longer: ${problem}`),
  });
  const paths = ['ann', 'bob'].map((name) => join(temporary.path, `session-${name}.json`));
  for (const path of paths) mkdirSync(path);
  const problem = 'A session file cannot be read (EISDIR)';
  const after = [
    [problem, problem],
    [problem, problem],
    [problem, problem, `no longer: ${problem}`],
  ];
  for (const expected of after) {
    await store.list();
    expect(told).toEqual(expected);
    const path = paths.pop();
    if (path !== undefined) rmdirSync(path);
  }
});

it('passes over what another process puts in its place meanwhile', async () => {
  using temporary = temporaryDirectory();
  // Listed, and gone when it is looked at.
  symlinkSync(join(temporary.path, 'gone'), join(temporary.path, '.session-3.tmp'));
  await expect(storeIn(temporary.path).removeStaleTemporaries()).resolves.toBeUndefined();
});

it('removes what an interrupted save left, but not what is being saved', async () => {
  using temporary = temporaryDirectory();
  writeFileSync(join(temporary.path, '.session-1.tmp'), 'a token');
  writeFileSync(join(temporary.path, '.session-2.tmp'), 'a token');
  const old = new Date(date.getTime() - 3_600_000);
  utimesSync(join(temporary.path, '.session-1.tmp'), old, old);
  utimesSync(join(temporary.path, '.session-2.tmp'), date, date);
  await storeIn(temporary.path).removeStaleTemporaries();
  expect(readdirSync(temporary.path)).toEqual(['.session-2.tmp']);
});

describe('a save that is killed', () => {
  const steps = 5;
  const moments = [
    ...Array.from({ length: steps }, (_, index) => ({ killAt: index + 1, manner: 'before' })),
    { killAt: 2, manner: 'halfway' },
  ];

  async function save(directory: string, token: string, killAt: number, manner: string): Promise<Program> {
    const args = [directory, 'ann', token, String(killAt), manner];
    const program = new Program('packages/platform-auth/test/world/killed-save.ts', args);
    await program.exited;
    return program;
  }

  it('has as many steps as are tried here', async () => {
    using temporary = temporaryDirectory();
    const { stdout } = await save(temporary.path, 'token', 0, 'before');
    expect(stdout).toEqual([`saved in ${steps} steps`]);
  });

  it.each(moments)(
    'at step $killAt ($manner) leaves the old token or the new one, and both can go on',
    async ({ killAt, manner }) => {
      using temporary = temporaryDirectory();
      const reports: string[] = [];
      const store = storeIn(temporary.path, reports);
      await store.save(session('ann', 'old'));
      const killed = await save(temporary.path, 'new', killAt, manner);
      expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' });
      const found = (await store.find('ann'))?.token.reveal();
      const renamed = killAt === steps;
      expect(found).toBe(renamed ? 'new' : 'old');
      expect(reports).toEqual([]);
      await store.save(session('ann', 'newer'));
      expect((await store.find('ann'))?.token.reveal()).toBe('newer');
    },
  );
});
