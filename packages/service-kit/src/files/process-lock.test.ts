import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { lookAtProcessLock, takeProcessLock } from './process-lock.ts';

const now = () => new Date('2026-11-21T06:30:00.000Z');

function filesIn(directory: string) {
  return { lock: join(directory, 'a.lock'), holder: join(directory, 'a.holder.json') };
}

function heldIn(directory: string, ...more: string[]): Program {
  const { lock, holder } = filesIn(directory);
  return new Program(
    'packages/service-kit/test/held-lock.ts',
    [lock, holder, ...more],
    {},
    {
      nodeOptions: ['--expose-gc'],
      isMortal: true,
    },
  );
}

describe('the lock of a process', () => {
  it('lets nobody else in and says who holds it, until that one is killed', async () => {
    using directory = temporaryDirectory();
    const files = filesIn(directory.path);
    await using other = heldIn(directory.path);
    await other.line(/taken/);
    const held = {
      kind: 'held',
      by: { command: 'serve', host: hostname(), pid: other.pid, since: '2026-11-21T06:30:00.000Z' },
    };
    expect(await takeProcessLock(files, { command: 'keys', now })).toEqual(held);
    expect(await lookAtProcessLock(files)).toEqual(held);
    other.kill('SIGKILL');
    await other.exited;
    expect(await lookAtProcessLock(files)).toBeUndefined();
    const mine = await takeProcessLock(files, { command: 'keys', now });
    expect(mine.kind).toBe('taken');
    if (mine.kind === 'taken') await mine.release();
    expect(other.stderr).toEqual([]);
  });

  it('is held by a process that has forgotten it, too, when its garbage is collected', async () => {
    using directory = temporaryDirectory();
    const files = filesIn(directory.path);
    await using other = heldIn(directory.path, 'collect');
    await other.line(/collected/);
    expect(await lookAtProcessLock(files)).toMatchObject({ kind: 'held', by: { pid: other.pid } });
  });

  it('lets the next one in once it is released', async () => {
    using directory = temporaryDirectory();
    const files = filesIn(directory.path);
    const first = await takeProcessLock(files, { command: 'serve', now });
    if (first.kind === 'taken') await first.release();
    await using other = heldIn(directory.path);
    const [word] = await other.line(/taken|held/);
    expect(word).toBe('taken');
  });

  it('holds a second time in the same process, too, and without knowing by whom', async () => {
    using directory = temporaryDirectory();
    const files = filesIn(directory.path);
    const first = await takeProcessLock(files, { command: 'serve', now });
    rmSync(files.holder);
    expect(await takeProcessLock(files, { command: 'serve', now })).toEqual({ kind: 'held', by: undefined });
    if (first.kind === 'taken') await first.release();
  });

  it.each([
    ['journal', 'a pipe'],
    ['journal', 'a link to one'],
    ['wal', 'a pipe'],
    ['shm', 'a pipe'],
  ])('waits for nobody where its %s is %s', async (ending, what) => {
    using directory = temporaryDirectory();
    const files = filesIn(directory.path);
    // Of an empty database SQLite reads none of them; whoever makes the pipe may fill it, too.
    const database = new DatabaseSync(files.lock);
    database.exec('create table a (n)');
    database.close();
    const beside = `${files.lock}-${ending}`;
    const pipe = what === 'a pipe' ? beside : join(directory.path, 'pipe');
    execFileSync('mkfifo', ['-m', '444', pipe]);
    if (pipe !== beside) symlinkSync(pipe, beside);
    await using other = heldIn(directory.path, 'look');
    await other.line(/free/);
    await other.line(/taken/);
    expect(await lookAtProcessLock(files)).toMatchObject({ kind: 'held', by: { pid: other.pid } });
  });

  it('waits for nobody as it is looked at where a pipe has its place', async () => {
    using directory = temporaryDirectory();
    execFileSync('mkfifo', [filesIn(directory.path).lock]);
    await using other = heldIn(directory.path, 'look');
    const [word] = await other.line(/free|held/);
    expect(word).toBe('free');
  });

  it.runIf(process.getuid?.() !== 0)(
    'throws where its file may only be read, as it would keep nobody out',
    async () => {
      using directory = temporaryDirectory();
      const files = filesIn(directory.path);
      writeFileSync(files.lock, '', { mode: 0o400 });
      await expect(takeProcessLock(files, { command: 'serve', now })).rejects.toThrow(/EACCES/);
    },
  );

  it('throws where it cannot be taken', async () => {
    using directory = temporaryDirectory();
    await expect(
      takeProcessLock(filesIn(join(directory.path, 'none')), { command: 'serve', now }),
    ).rejects.toThrow(/unable to open/);
  });
});
