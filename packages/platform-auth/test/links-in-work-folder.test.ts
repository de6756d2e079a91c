import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { Places } from '../src/download/names/places.ts';
import { DownloadProblem } from '../src/download/problems/problem.ts';
import { completeInterrupted } from '../src/download/run/interrupted.ts';
import { LocalDownload } from './world/local-download.ts';
import { twoVersions } from './world/small-depots.ts';

const [first] = twoVersions();
const now = () => new Date('2026-11-21T06:30:00.000Z');
const secret = 'session-ann.json';

describe('a link where the downloader has a place of its own', () => {
  it.each(['stage', 'originals', 'work'] as const)('is refused: %s', async (name) => {
    using world = new LocalDownload();
    using elsewhere = temporaryDirectory();
    const places = new Places(world.directory);
    writeFileSync(join(elsewhere.path, secret), 'secret');
    if (name !== 'work') mkdirSync(places.work);
    symlinkSync(elsewhere.path, places[name]);
    world.content.publish(gameAppId, [first]);
    for (const run of [
      () => world.run(),
      () => world.plan(),
      () => completeInterrupted(places, 'serve', now),
    ])
      await expect(run()).rejects.toThrow(/is a link where the downloader has its own folder\. Remove it/);
    expect(readdirSync(elsewhere.path)).toEqual([secret]);
  });

  it.each(['holder', 'nextRecord', 'journal'] as const)('is not written through: %s', async (name) => {
    using world = new LocalDownload();
    using elsewhere = temporaryDirectory();
    const places = new Places(world.directory);
    const target = join(elsewhere.path, secret);
    writeFileSync(target, 'secret');
    mkdirSync(places.work);
    symlinkSync(target, name === 'holder' ? places.holder : `${places[name]}.new`);
    world.content.publish(gameAppId, [first]);
    await world.run().catch((error: unknown) => {
      expect(error).toBeInstanceOf(DownloadProblem);
      expect(String(error)).toMatch(/There is a link .*ELOOP.*Remove it/);
    });
    expect(readFileSync(target, 'utf8')).toBe('secret');
  });

  it('is no part that a download goes on with', async () => {
    using world = new LocalDownload();
    using elsewhere = temporaryDirectory();
    const target = join(elsewhere.path, secret);
    writeFileSync(target, 'secret');
    world.content.publish(gameAppId, [first]);
    const cut = new Error('cut');
    world.content.beforeChunk = async () => {
      throw cut;
    };
    await expect(world.run()).rejects.toThrow(cut);
    world.content.beforeChunk = async () => {};
    const places = new Places(world.directory);
    for (const folder of [places.stage, places.originals])
      for (const part of readdirSync(folder)) {
        const path = join(folder, part);
        rmSync(path);
        symlinkSync(target, path);
      }
    await world.run();
    expect(readFileSync(target, 'utf8')).toBe('secret');
    expect(world.tree['FarmGame']).toMatch(/^program of 900/);
  });
});

it.each(['journal', 'stagedBuild', 'marker', 'record'] as const)(
  'a pipe in place of a file of the downloader keeps nobody waiting: %s',
  async (name) => {
    using world = new LocalDownload();
    const places = new Places(world.directory);
    mkdirSync(places.work);
    execFileSync('mkfifo', [places[name]]);
    world.content.publish(gameAppId, [first]);
    await expect(world.run()).rejects.toMatchObject({
      message: expect.stringContaining(`${places[name]} cannot be read: it is not a file`),
      remedy: expect.stringMatching(/^Move it away/),
    });
  },
);
