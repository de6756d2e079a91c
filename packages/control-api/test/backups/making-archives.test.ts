import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passing } from 'node:timers/promises';
import { diskLibrary } from '@steward/testing/disk-library';
import { LoopDelay } from '@steward/testing/loop-delay';
import { Program } from '@steward/testing/program';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { partOf, removeLeftovers } from '../../src/backups/archive/leftovers.ts';
import { pack } from '../../src/backups/archive/pack.ts';
import { readArchive } from '../../src/backups/archive/read.ts';
import { ThreadArchivist } from '../../src/backups/archive/thread-archivist.ts';
import { about, archiveName } from './stage/archives.ts';
import { canMount, onOwnDisk } from './stage/own-disk.ts';

/** A folder of a farm of so many bytes, and where its archive is to lie. */
function stage(bytes = 20_000) {
  const directory = temporaryDirectory();
  const at = (...names: string[]) => join(directory.path, ...names);
  mkdirSync(at('saves', 'Farm_1'), { recursive: true });
  writeFileSync(at('saves/Farm_1/Farm_1'), Buffer.alloc(bytes, 'a farm; '));
  writeFileSync(at('saves/Farm_1/SaveGameInfo'), 'info');
  mkdirSync(at('backups'));
  const job = {
    to: at('backups', archiveName),
    sources: [{ into: 'saves', path: at('saves') }],
    about,
  };
  return { at, job, [Symbol.dispose]: () => directory[Symbol.dispose]() };
}

it('leaves out what is neither a file nor a folder, or has a name that no archive can have, and says so', async () => {
  using farm = stage();
  symlinkSync('/etc/passwd', farm.at('saves/link'));
  symlinkSync('/etc', farm.at('saves/linked-folder'));
  execFileSync('mkfifo', [farm.at('saves/pipe')]);
  for (const name of ['back\\slash', 'line\nfeed']) writeFileSync(farm.at('saves', name), '');
  writeFileSync(Buffer.concat([Buffer.from(farm.at('saves/')), Buffer.of(0xff, 0x41)]), '');
  const deep = Array.from({ length: 6 }, () => 'd'.repeat(199)).join('/');
  mkdirSync(farm.at('saves', deep), { recursive: true });
  const { manifest } = await pack(farm.job, farm.at('backups/part'));
  expect(manifest.leftOut).toEqual([
    'saves/back\\\\slash',
    `saves/${deep.slice(0, 5 * 200 - 1)}`,
    'saves/line\\nfeed',
    'saves/link',
    'saves/linked-folder',
    'saves/pipe',
    'saves/�A',
  ]);
});

it('takes what a file system keeps for itself at the top of a volume for no part of the farm, and the name elsewhere as any', async () => {
  using farm = stage();
  mkdirSync(farm.at('saves/lost+found'), { mode: 0 });
  mkdirSync(farm.at('saves/Farm_1/lost+found'));
  const { manifest } = await pack(farm.job, farm.at('backups/part'));
  chmodSync(farm.at('saves/lost+found'), 0o700);
  expect(manifest.leftOut).toEqual([]);
  expect(manifest.entries.map(({ path }) => path)).toEqual([
    'saves',
    'saves/Farm_1',
    'saves/Farm_1/Farm_1',
    'saves/Farm_1/SaveGameInfo',
    'saves/Farm_1/lost+found',
  ]);
});

describe('what changes while it is copied voids the archive, and nothing is left of it:', () => {
  const changes: Readonly<Record<string, (at: (...names: string[]) => string) => void>> = {
    'a file that grows': (at) => appendFileSync(at('saves/Farm_1/Farm_1'), 'x'),
    'a file that shrinks': (at) => truncateSync(at('saves/Farm_1/Farm_1'), 10),
    'a file of the same size and time': (at) => {
      const path = at('saves/Farm_1/Farm_1');
      writeFileSync(path, Buffer.alloc(readFileSync(path).length, 'b farm; '));
      utimesSync(path, 1_700_000_000, 1_700_000_000);
    },
    'a file with another name': (at) => renameSync(at('saves/Farm_1/SaveGameInfo'), at('saves/Farm_1/Other')),
    'one more': (at) => writeFileSync(at('saves/Farm_1/SaveGameInfo_old'), 'x'),
    'one less': (at) => rmSync(at('saves/Farm_1/SaveGameInfo')),
    'all of it': (at) => rmSync(at('saves'), { recursive: true }),
    'a file that becomes a link': (at) => {
      rmSync(at('saves/Farm_1/SaveGameInfo'));
      symlinkSync('/etc/passwd', at('saves/Farm_1/SaveGameInfo'));
    },
  };

  it.each(Object.entries(changes))('%s', async (_what, change) => {
    using farm = stage(3_000_000);
    utimesSync(farm.at('saves/Farm_1/Farm_1'), 1_700_000_000, 1_700_000_000);
    const part = farm.at('backups/part');
    const packing = pack(farm.job, part);
    // It has hashed everything before it gives its turn away for the first time, and has compressed little.
    change(farm.at);
    await expect(packing).rejects.toMatchObject({ kind: 'changed' });
    expect(existsSync(farm.job.to)).toBe(false);
  });
});

it('follows no link in place of a source that was resolved before, and any other', async () => {
  using farm = stage();
  const resolved = { ...farm.job, sources: [{ into: 'saves', path: farm.at('saves'), isResolved: true }] };
  renameSync(farm.at('saves'), farm.at('elsewhere'));
  symlinkSync('elsewhere', farm.at('saves'));
  await expect(pack(resolved, farm.at('backups/part'))).rejects.toMatchObject({ kind: 'changed' });
  expect(existsSync(farm.job.to)).toBe(false);
  await pack(farm.job, farm.at('backups/part'));
});

it('says of a source that is not there that it cannot be read, and of a place that takes no file that it cannot be written', async () => {
  using farm = stage();
  const archivist = new ThreadArchivist();
  const nowhere = { ...farm.job, sources: [{ into: 'saves', path: farm.at('none') }] };
  await expect(archivist.pack(nowhere)).rejects.toMatchObject({ kind: 'unreadable' });
  writeFileSync(farm.job.to, 'theirs');
  await expect(archivist.pack(farm.job)).rejects.toMatchObject({ kind: 'unwritable' });
  expect(readdirSync(farm.at('backups'))).toEqual([archiveName]);
  expect(readFileSync(farm.job.to, 'utf8')).toBe('theirs');
  await expect(archivist.manifestOf(farm.at('none'))).rejects.toMatchObject({ kind: 'unreadable' });
  await expect(archivist.verify(farm.at('saves'))).rejects.toMatchObject({ kind: 'damaged' });
});

it('is given up when its caller no longer wants it, and nothing is left of it', async () => {
  using farm = stage(30_000_000);
  const archivist = new ThreadArchivist();
  const leaving = new AbortController();
  const packing = archivist.pack(farm.job, leaving.signal);
  setImmediate(() => leaving.abort());
  await expect(packing).rejects.toMatchObject({ name: 'AbortError' });
  expect(readdirSync(farm.at('backups'))).toEqual([]);
  const { manifest } = await archivist.pack(farm.job);
  const verifying = archivist.verify(farm.job.to, leaving.signal);
  await expect(verifying).rejects.toMatchObject({ name: 'AbortError' });
  expect(await Promise.all([archivist.manifestOf(farm.job.to), archivist.manifestOf(farm.job.to)])).toEqual([
    manifest,
    manifest,
  ]);
});

it('tells everybody who waits when its thread dies, leaves nothing, and begins again with the next', {
  timeout: 30_000,
}, async () => {
  using farm = stage();
  const dying = new URL(
    'data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.on("message", () => process.exit(3));',
  );
  const archivist = new ThreadArchivist(dying);
  for (let again = 0; again < 2; again += 1) {
    await expect(archivist.pack(farm.job)).rejects.toThrow('has ended');
    const reads = [archivist.manifestOf(farm.job.to), archivist.manifestOf(farm.job.to)];
    for (const { status } of await Promise.allSettled(reads)) expect(status).toBe('rejected');
  }
  expect(readdirSync(farm.at('backups'))).toEqual([]);
});

it('gives a job the thread that the last one has left, but not one that failed, or that somebody else has', async () => {
  const telling = new URL(
    `data:text/javascript,import { parentPort, threadId } from "node:worker_threads";
    parentPort.on("message", ({ id, job: { path } }) =>
      parentPort.postMessage(path === "bad" ? { id, failure: { error: new Error("bad") } } : { id, result: threadId }));`,
  );
  const archivist = new ThreadArchivist(telling);
  const first = await archivist.verify('good');
  expect(await archivist.manifestOf('good')).toBe(first);
  expect(await archivist.verify('good')).toBe(first);
  const [one, other] = await Promise.all([archivist.verify('good'), archivist.verify('good')]);
  expect([one === other, one]).toEqual([false, first]);
  const last = await archivist.verify('good');
  await expect(archivist.verify('bad')).rejects.toThrow('bad');
  expect(await archivist.verify('good')).not.toBe(last);
});

it('keeps nobody on the thread of the service waiting', async () => {
  using farm = stage(40_000_000);
  const archivist = new ThreadArchivist();
  mkdirSync(farm.at('back'));
  using delay = new LoopDelay();
  await archivist.pack(farm.job);
  await archivist.verify(farm.job.to);
  await archivist.unpack(farm.job.to, { saves: farm.at('back') });
  expect(delay.percentileMs(99)).toBeLessThan(50);
  expect(
    readFileSync(farm.at('back/Farm_1/Farm_1')).equals(readFileSync(farm.at('saves/Farm_1/Farm_1'))),
  ).toBe(true);
});

it('leaves nothing that looks like a backup when it is killed, and what it leaves is taken away by the next', {
  timeout: 3_600_000,
}, async () => {
  using farm = stage(2_000_000);
  const random = seededRandom(seed);
  const backups = farm.at('backups');
  for (let killed = 0; killed < count({ small: 3, long: 200 }); killed += 1) {
    rmSync(backups, { recursive: true });
    mkdirSync(backups);
    await using program = new Program('packages/control-api/test/backups/stage/packing.ts', [
      farm.at('saves'),
      backups,
    ]);
    await program.line(/begun/, { number: 1 + Math.floor(random() * 3) });
    // At any moment of it, of which nothing tells from outside.
    await passing(random() * 80);
    expect(await removeLeftovers(backups, Date.now())).toEqual([]);
    program.kill('SIGKILL');
    await program.exited;
    const left = readdirSync(backups).filter((name) => !name.endsWith('.steward.tar.zst'));
    expect(await removeLeftovers(backups, Date.now())).toEqual(left);
    expect(left.length).toBeLessThan(2);
    for (const name of readdirSync(backups)) await readArchive(join(backups, name));
  }
});

it('takes away the leftovers of another machine only once they have been quiet for an hour', async () => {
  using farm = stage();
  const [mine, theirs] = [
    partOf(farm.job.to),
    `${farm.job.to.replace('2026', '.2026')}.00000000-1-2-abcdef.part`,
  ];
  for (const path of [mine, theirs, farm.at('backups/.other.part'), farm.job.to]) writeFileSync(path, '');
  expect(await removeLeftovers(farm.at('backups'), Date.now())).toEqual([]);
  expect(await removeLeftovers(farm.at('backups'), Date.now() + 61 * 60_000)).toEqual([
    theirs.split('/').at(-1),
  ]);
  expect(existsSync(mine)).toBe(true);
});

it.runIf(canMount).each([
  ['full', 'size=200k', 'no-room'],
  ['read-only', 'ro', 'unwritable'],
])('on a disk that is %s it says so, and leaves nothing', async (_what, option, kind) => {
  using farm = stage();
  writeFileSync(
    farm.at('saves/noise'),
    Buffer.from(Array.from({ length: 400_000 }, seededRandom(seed)).map((n) => n * 256)),
  );
  const { stdout, stderr } = onOwnDisk(farm.at('backups'), option, 'packing.ts', [
    farm.at('saves'),
    farm.at('backups'),
  ]);
  expect(stdout).toBe('begun 0\n');
  expect(stderr).toContain(`kind: '${kind}'`);
});

it.runIf(process.platform === 'linux')('says so where the quota is used up', () => {
  using farm = stage();
  const { stderr } = spawnSync(
    process.execPath,
    ['packages/control-api/test/backups/stage/packing.ts', farm.at('saves'), farm.at('backups')],
    {
      encoding: 'utf8',
      env: { ...process.env, ...diskLibrary(farm.at('.')), OVER_QUOTA_WHILE: farm.at('saves') },
    },
  );
  expect(stderr).toContain("kind: 'no-room'");
  expect(stderr).toContain('cannot be written (EDQUOT)');
});
