import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { DownloadWorld } from './world/download-world.ts';
import { LocalDownload } from './world/local-download.ts';
import { Killed, MortalSteps } from './world/mortal-steps.ts';
import { PublishedGame } from './world/published-game.ts';

const logons = { path: 'ClientLogon' };

/** A GAME_DIR whose download died while it put files in their places. */
async function interruptedPublication(): Promise<LocalDownload> {
  using rehearsal = LocalDownload.small();
  let publishing = 0;
  const counting = new MortalSteps({ atStep: 0, manner: 'before' });
  const stage = (): void => {
    publishing = counting.steps;
  };
  await rehearsal.run({}, { steps: counting, events: { ...rehearsal.parts().events, stage } });
  const world = LocalDownload.small();
  const inTheMiddle = Math.floor((publishing + counting.steps) / 2);
  const steps = new MortalSteps({ atStep: inTheMiddle, manner: 'before' });
  await expect(world.run({}, { steps })).rejects.toThrow(Killed);
  expect(world.tree).not.toEqual(world.expected());
  return world;
}

it.each(['download', 'setup'])(
  '%s completes an interrupted publication without the platform, which it cannot even reach',
  async (command) => {
    using world = await interruptedPublication();
    using sessions = temporaryDirectory();
    await using program = new Program('packages/platform-auth/src/main.ts', [command], {
      GAME_DIR: world.directory,
      SESSION_DIR: sessions.path,
      PLATFORM_USERNAME: 'ann',
      PLATFORM_PASSWORD: 'pass-of-ann',
      // Nothing listens there.
      PLATFORM_PROXY: 'http://127.0.0.1:9',
    });
    expect(await program.exited).toMatchObject({ code: 7 });
    expect(world.tree).toEqual(world.expected());
    expect(program.stderr.join('\n')).toContain('Completing an interrupted run');
  },
);

it.each(['download', 'setup'])('%s spends no login where another download is under way', async (command) => {
  await using world = await DownloadWorld.start(PublishedGame.small()[0]);
  mkdirSync(join(world.game, '.download'), { recursive: true });
  await using holder = new Program('packages/platform-auth/test/world/held-lock.ts', [world.game]);
  await holder.line(/held/);
  await using program = new Program('packages/platform-auth/src/main.ts', [command], world.environment);
  expect(await program.exited).toMatchObject({ code: 1 });
  expect(program.stderr.join('\n')).toMatch(/is running: `platform-auth serve`/);
  expect(world.platform.record.count(logons)).toBe(0);
});
