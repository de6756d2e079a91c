import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { refuseNewer } from '../src/download/kept/refuse-newer.ts';
import { Places } from '../src/download/names/places.ts';
import { Emulated } from './world/emulated.ts';
import { runCommand } from './world/run-command.ts';
import { SidecarProcess } from './world/sidecar-process.ts';

const newer = '{ "version": 2, "all": "else" }\n';
function leave(game: string, name: 'marker' | 'record' | 'journal' | 'stagedBuild'): string {
  const path = new Places(game)[name];
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, newer);
  return path;
}

const words = /was written by a newer version of this program \(format 2; this one reads up to 1\)/;

it('a session of a newer version is neither used nor replaced, and /health says so while it is there', async () => {
  await using world = await Emulated.start();
  const path = join(world.directory, 'session-ann.json');
  mkdirSync(world.directory, { recursive: true });
  writeFileSync(path, newer);
  await using serve = await SidecarProcess.start(world.platform, { SESSION_DIR: world.directory });
  const { session } = await serve.healthWhere(({ session }) => session.state === 'no-account');
  expect(session.warnings).toEqual([expect.stringMatching(words)]);
  await serve.program.line(words);
  const login = await runCommand(world, ['login'], { PLATFORM_USERNAME: 'ann', PLATFORM_PASSWORD: 'ann' });
  expect(login.code).not.toBe(0);
  expect(login.stderr).toMatch(words);
  expect(readFileSync(path, 'utf8')).toBe(newer);
  rmSync(path);
  await serve.healthWhere(({ session }) => session.warnings === undefined);
});

describe('game files of a newer version', () => {
  it.each(['marker', 'record', 'journal', 'stagedBuild'] as const)(
    'are known by their %s alone',
    async (name) => {
      using game = temporaryDirectory();
      const path = leave(game.path, name);
      await expect(refuseNewer(new Places(game.path))).rejects.toThrow(words);
      expect(readFileSync(path, 'utf8')).toBe(newer);
    },
  );

  it.each(['download', 'download --plan'])('are left as they are by `%s`, which says so', async (command) => {
    await using world = await Emulated.start();
    using game = temporaryDirectory();
    const path = leave(game.path, 'marker');
    await world.saveSession('ann');
    const { code, stderr } = await runCommand(world, command.split(' '), { GAME_DIR: game.path });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(words);
    expect(stderr).toContain('docs/upgrades.md');
    expect(readFileSync(path, 'utf8')).toBe(newer);
  });

  it('are left as they are by the service, whose log and GET /download say so', async () => {
    await using world = await Emulated.start();
    using game = temporaryDirectory();
    const path = leave(game.path, 'marker');
    await world.saveSession('ann');
    await using serve = await SidecarProcess.start(world.platform, {
      SESSION_DIR: world.directory,
      GAME_DIR: game.path,
    });
    await serve.program.line(words);
    expect(await (await serve.get('/download')).json()).toMatchObject({
      state: 'missing',
      reason: expect.stringMatching(words),
      remedy: expect.stringContaining('docs/upgrades.md'),
    });
    expect(readFileSync(path, 'utf8')).toBe(newer);
  });
});

it('an update whose journal cannot be read says what to remove', async () => {
  await using world = await Emulated.start();
  using game = temporaryDirectory();
  const { journal } = new Places(game.path);
  mkdirSync(dirname(journal), { recursive: true });
  writeFileSync(journal, '{"version":1,"st');
  await world.saveSession('ann');
  const { stderr } = await runCommand(world, ['download'], { GAME_DIR: game.path });
  expect(stderr).toMatch(/journal\.json.*cannot be read.*Remove it.*--verify/s);
});
