import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { diskLibrary } from '@steward/testing/disk-library';
import { overSocket, ScriptedGame } from '@steward/testing/game/scripted-game';
import { Program, programFile } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it, vi } from 'vitest';
import { openAgainMs } from '../../src/store/store.ts';

const main = 'packages/control-api/src/main.ts';
const patience = { interval: 100, timeout: 20_000 };

function environment(directory: string) {
  return {
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    STATE_DIR: directory,
    SETTINGS_PATH: join(directory, 'server-settings.json'),
    PLATFORM_AUTH_URL: '',
  };
}

/** What is asked of a service that is about to listen. */
async function asking(api: Program) {
  const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
  const ask = async (path: string, init?: RequestInit): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${origin}${path}`, init);
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  return {
    ask,
    post: (value: number, key?: string) =>
      ask(`/time?value=${value}`, {
        method: 'POST',
        ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
      }),
    /** What is in the way of what has to be kept, as everybody is told it. */
    async obstacles() {
      const of = async (path: string) =>
        ((await ask(path))['obstacles'] as { code: string }[]).filter(({ code }) =>
          code.startsWith('state-'),
        );
      const found = await of('/health/ready');
      expect(await of('/status')).toEqual(found);
      return found;
    },
  };
}

function linesOf(api: Program, words: RegExp): number {
  return [...api.stdout, ...api.stderr].filter((line) => words.test(line)).length;
}

const canMount =
  spawnSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

describe.runIf(canMount).concurrent('a disk of its own that at the start is', () => {
  it.each([
    ['full', 'ENOSPC'],
    ['read-only', 'EROFS'],
  ])(
    '%s is said, keeps nothing else from going on, and is over by itself',
    async (trouble, code) => {
      using directory = temporaryDirectory();
      using state = temporaryDirectory();
      const fixed = join(directory.path, 'fixed');
      const socket = join(directory.path, 'game.sock');
      await using api = new Program('packages/control-api/test/store/in-a-namespace.ts', [], {
        ...environment(state.path),
        MAIN: programFile(main),
        TROUBLE: trouble,
        MENDED: fixed,
        GAME_SOCKET: socket,
      });
      const { post, obstacles } = await asking(api);
      await new ScriptedGame({ tickMs: 500 }).connect(overSocket(connect(socket)));
      await vi.waitFor(
        async () =>
          expect(await obstacles()).toMatchObject([
            { code: 'state-unwritable', reason: expect.stringContaining(code) },
            {
              code: 'state-unreadable',
              remedy: expect.stringContaining('let the service write to STATE_DIR'),
            },
          ]),
        patience,
      );
      expect(await post(700)).toMatchObject({ status: 200 });
      expect(await post(800, 'k')).toMatchObject({ status: 503, code: 'state-unreadable' });
      writeFileSync(fixed, '');
      await vi.waitFor(async () => expect(await obstacles()).toEqual([]), {
        ...patience,
        timeout: 3 * openAgainMs,
      });
      expect(await post(900, 'k')).toMatchObject({ status: 200 });
      await api.line(/can be used again/);
      for (const words of [
        /STATE_DIR cannot be written/,
        /"msg":"\S*steward\.db cannot be used/,
        /can be used again/,
      ])
        expect([words, linesOf(api, words)]).toEqual([words, 1]);
      api.kill('SIGTERM');
      expect(await api.exited).toEqual({ code: 0, signal: null });
    },
    60_000,
  );
});

it.runIf(process.platform === 'linux')(
  'a disk that becomes read-only while the service runs is said, refuses what has to be kept, and is over by itself',
  async () => {
    using directory = temporaryDirectory();
    using state = temporaryDirectory();
    const readOnly = join(directory.path, 'read-only');
    await using api = new Program(main, [], {
      ...environment(state.path),
      ...diskLibrary(directory.path),
      READONLY: state.path,
      READONLY_WHILE: readOnly,
    });
    const { ask, post, obstacles } = await asking(api);
    const game = new ScriptedGame({ tickMs: 500 });
    await game.connect(overSocket(connect(join(state.path, 'game.sock'))));
    expect(await post(700, 'k-1')).toMatchObject({ status: 200 });
    writeFileSync(readOnly, '');
    const refused = await post(800, 'k-2');
    expect(refused).toMatchObject({ status: 503, code: 'state-unwritable' });
    expect([...game.journal.keys()]).not.toContain(refused['operationId']);
    await vi.waitFor(
      async () =>
        expect(await obstacles()).toMatchObject([
          { code: 'state-unwritable', reason: expect.stringContaining('EROFS') },
        ]),
      patience,
    );
    for (const path of ['/samples', '/operations', '/players'])
      expect([path, await ask(path)]).toMatchObject([path, { status: 200 }]);
    expect(await post(700, 'k-1')).toMatchObject({ status: 200 });
    rmSync(readOnly);
    await vi.waitFor(async () => expect(await obstacles()).toEqual([]), patience);
    expect(await post(800, 'k-2')).toMatchObject({ status: 200 });
    // Lines come by a way of their own.
    await api.line(/STATE_DIR can be written again/);
    expect(linesOf(api, /STATE_DIR cannot be written/)).toBe(1);
  },
  60_000,
);
