import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildGame, buildSdk, gameAppId, sdkAppId } from '@steward/platform-emulator/depot/game/build-game';
import { startPlatform } from '@steward/platform-emulator/platform';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { eventually } from '@steward/testing/eventually';
import { programFile } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { join as joins } from './chaos/join.ts';
import { drainedFarm } from './stage/drained-farm.ts';
import { accounts, fastSidecar } from './stage/fast-sidecar.ts';

const secret = 'a-secret-between-the-two-services';
const farmFile = programFile('packages/simulated-game/src/main.ts');
const builds = z.object({ apps: z.array(z.object({ appId: z.number(), depots: z.array(z.unknown()) })) });
const schedules = z.object({
  schedules: z.array(
    z.object({
      name: z.string(),
      lastRun: z
        .object({
          outcome: z.string().optional(),
          reason: z.string().optional(),
          operationId: z.string().optional(),
        })
        .optional(),
    }),
  ),
});

function publish(platform: Platform, version: 1 | 2): void {
  const game = buildGame({ seed: 'update', bytes: 500_000, format: 'zstd', version });
  const depots = Object.values(game).map((depot) => ({ depot }));
  platform.publish({ appId: gameAppId, name: 'game', depots });
  platform.publish({ appId: sdkAppId, name: 'SDK', free: true, depots: [{ depot: buildSdk('update') }] });
}

/** The platform, the sidecar, the control API and a farm that notes which build's files were there when it was started. */
async function updatedFarm() {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(temporaryDirectory());
  const platform = stack.adopt(await startPlatform({ accounts }), (each) => each.close());
  publish(platform, 1);
  const sidecar = stack.use(
    fastSidecar(
      { platform, directory: directory.path, speed: '1', secret, port: '0' },
      { PLATFORM_DOWNLOAD: 'on' },
    ),
  );
  const [, url = ''] = await sidecar.line(/listening on (http:\S+?)["\s]/);
  const game = join(directory.path, 'game');
  const marker = join(game, `.download-manifest-${gameAppId}`);
  const started = join(directory.path, 'started-with');
  const saves = join(directory.path, 'saves');
  const farm = stack.use(
    await drainedFarm({
      GAME_COMMAND: JSON.stringify([
        '/bin/sh',
        '-c',
        'cp "$0" "$1"; exec "$2" "$3"',
        marker,
        started,
        process.execPath,
        farmFile,
      ]),
      GAME_MARKER: marker,
      GAME_SAVES_DIR: saves,
      BACKUP_DIR: join(directory.path, 'backups'),
      FARM_SAVES_DIR: saves,
      FARM_SAVE: '',
      PLATFORM_AUTH_URL: url,
      PLATFORM_AUTH_SECRET: secret,
    }),
  );
  const buildIn = (path: string) => JSON.stringify(builds.parse(JSON.parse(readFileSync(path, 'utf8'))).apps);
  const kept = stack.move();
  return {
    farm,
    platform,
    stageFolder: join(game, '.download', 'stage'),
    /** Of the game as it was started last, and of its files as they are now. */
    playedBuild: () => buildIn(started),
    buildThere: () => buildIn(marker),
    /** Runs the schedule of that name; resolves with how it ended. */
    async ran(name: string) {
      await farm.ask('POST', `/schedules/run?name=${name}`);
      return eventually(
        async () => {
          const { schedules: all } = schedules.parse(await farm.ask('GET', '/schedules'));
          const run = all.find((each) => each.name === name)?.lastRun;
          return run?.outcome === undefined ? undefined : run;
        },
        { missing: () => `${name} never ran to its end` },
      );
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

it('a schedule brings a newer build: staged while people play, in place while the game is away, and played then', async () => {
  await using world = await updatedFarm();
  const { farm, platform } = world;
  await farm.open();
  const first = world.playedBuild();
  const update = '/schedules?action=update&cron=0+4+29+2+*&when=now';
  expect(await farm.ask('POST', `${update}&name=quick&seconds=1`)).toMatchObject({ success: true });
  expect(await farm.ask('POST', `${update}&name=slow&seconds=600`)).toMatchObject({ success: true });
  const { arrival, said } = await joins(farm.orders, 'Sam', ['--ip']);
  expect(arrival, said).toBeDefined();
  await farm.areThere(['Sam']);
  publish(platform, 2);
  const run = await world.ran('quick');
  expect(run).toMatchObject({ outcome: 'applied' });
  expect(await farm.ended(run.operationId ?? '')).toMatchObject({
    state: 'applied',
    after: { isUpdated: true, isSaved: true, isBack: true, backupId: expect.stringMatching(/Z-/) },
  });
  await farm.open();
  const second = world.playedBuild();
  expect(second).not.toBe(first);
  expect(world.buildThere()).toBe(second);

  // Nothing of a build is put in place that somebody has meddled with, and the game is played on as it was.
  await joins(farm.orders, 'Sam', ['--ip'], arrival?.farmhandId);
  await farm.areThere(['Sam']);
  publish(platform, 1);
  const failing = world.ran('slow');
  await farm.isIn('counting');
  for (const name of readdirSync(world.stageFolder)) writeFileSync(join(world.stageFolder, name), '');
  // Nobody is left to count down for.
  await farm.orders.order('leave', 'Sam');
  expect(await failing).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('something else has written to GAME_DIR/.download'),
  });
  await farm.open();
  expect([world.playedBuild(), world.buildThere()]).toEqual([second, second]);
}, 300_000);
