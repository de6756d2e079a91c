import { mkdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Program } from '@steward/testing/program';
import { expect, it } from 'vitest';
import { LocalDownload } from './world/local-download.ts';

const game = { seed: 'locked', bytes: 1_000_000 };

function holderOf(directory: string): Program {
  mkdirSync(join(directory, '.download'), { recursive: true });
  return new Program('packages/platform-auth/test/world/held-lock.ts', [directory]);
}

it('lets one downloader at a time into a GAME_DIR and tells the second who holds it; the death of that one frees it', async () => {
  using world = new LocalDownload(game);
  await using holder = holderOf(world.directory);
  await holder.line(/held/);
  await expect(world.run()).rejects.toThrow(
    `A download into GAME_DIR is running: \`platform-auth serve\` on ${hostname()} (process ${holder.pid}), since 2026-11-21T06:30:00.000Z. Wait until it is done, or stop it`,
  );
  expect(world.takeFetched()).toEqual([]);
  holder.kill('SIGKILL');
  await holder.exited;
  await world.run();
  expect(world.tree).toEqual(world.expected());
  // Nothing but what it was asked for: no library says that it is experimental.
  expect(holder.stderr).toEqual([]);
});

it('is held between two downloads of one process, too, and is free after a failure', async () => {
  using world = new LocalDownload(game);
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: first, resolve: isFetching } = Promise.withResolvers<void>();
  world.content.beforeChunk = async () => {
    isFetching();
    await mayGoOn;
    throw new Error('cut');
  };
  const running = world.run();
  await first;
  await expect(world.run()).rejects.toThrow(/is running: `platform-auth download`/);
  goOn();
  await expect(running).rejects.toThrow('cut');
  world.content.beforeChunk = async () => {};
  await world.run();
  expect(world.tree).toEqual(world.expected());
});

it('does not need to know who holds it', async () => {
  using world = new LocalDownload(game);
  await using holder = holderOf(world.directory);
  await holder.line(/held/);
  rmSync(join(world.directory, '.download/holder.json'));
  await expect(world.run()).rejects.toThrow(/is running: another process/);
});
