import { setImmediate as nextTurn } from 'node:timers/promises';
import { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { Program } from '@steward/testing/program';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { afterAll, expect, it, vi } from 'vitest';
import { mostAtOnce } from '../src/download/cdn/cdn-chunk-source.ts';
import { chunksOnDisk } from './world/chunks-on-disk.ts';
import { DownloadWorld, entry } from './world/download-world.ts';
import { treeOn } from './world/game-tree.ts';
import { PublishedGame } from './world/published-game.ts';

const kills = count({ small: 4, long: 50 });
const plan = {
  seed: 'resumed',
  bytes: count({ small: 2_000_000, long: 100_000_000 }),
  format: 'mixed',
} as const;
const game = new PublishedGame(plan);
/** Each needs a second or two of a busy machine, before it does anything. */
const manyProcessesMs = 1_800_000;
const commands = new CommandsInTurn('packages/platform-auth/src/program.ts');
afterAll(() => commands[Symbol.asyncDispose]());
const patience = { timeout: 60_000, interval: 20 };

/**
 * The chunks that one run asked for, none of which may have been finished, and those of them that it did not finish. On a machine that is
 * busy enough a request fails and is sent again; that is one chunk still.
 */
async function oneRun(world: DownloadWorld, run: () => Promise<void>) {
  const finished = chunksOnDisk(world.game);
  const before = world.chunks;
  await run();
  const asked = [...new Set(world.chunkIds(before))];
  expect(asked.filter((id) => finished.has(id))).toEqual([]);
  const now = chunksOnDisk(world.game);
  return { asked, lost: asked.filter((id) => !now.has(id)) };
}

/** Dies by `kill -9` once so many more chunks have been asked for; or later, once one of them is finished. */
async function killedAfter(world: DownloadWorld, more: number, isOneToFinish: boolean): Promise<void> {
  const finished = chunksOnDisk(world.game).size;
  await using program = new Program(entry, ['download'], world.environment);
  const ended = program.exited.then(() => {});
  await Promise.race([world.platform.record.seen({ kind: 'chunk' }, world.chunks + more), ended]);
  if (isOneToFinish)
    await Promise.race([vi.waitUntil(() => chunksOnDisk(world.game).size > finished, patience), ended]);
  // So that not every death comes right after a request.
  for (let turn = 0; turn < more % 50; turn += 1) await nextTurn();
  program.kill('SIGKILL');
  await program.exited;
}

it(
  `fetches no finished chunk again over ${kills} × kill -9, and of the others only what was in flight`,
  async () => {
    await using world = await DownloadWorld.start(game);
    const { stdout } = await world.inTurn(commands, ['--plan', '--json']);
    const { chunks } = JSON.parse(stdout.join('')).to_fetch;
    const lift = world.platform.faults.add({ when: { kind: 'chunk' }, fault: { latencyMs: 100 } });
    const random = seededRandom(seed);
    let askedAtAll = 0;
    let lostAtAll = 0;
    let runsThatFinishedSome = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      // Half of the chunks in all: on a busy machine more are asked for before the kill comes.
      const more = 1 + Math.floor((random() * chunks) / kills);
      const { asked, lost } = await oneRun(world, () => killedAfter(world, more, kill % 2 === 0));
      expect(lost.length).toBeLessThanOrEqual(mostAtOnce);
      askedAtAll += asked.length;
      lostAtAll += lost.length;
      if (lost.length < asked.length) runsThatFinishedSome += 1;
    }
    lift();
    const last = await oneRun(world, async () => expect((await world.inTurn(commands)).code).toBe(0));
    expect(treeOn(world.game)).toEqual(game.expected());
    // Each chunk came once, and once more for each time that a kill met it in flight.
    expect(askedAtAll + last.asked.length).toBe(chunks + lostAtAll);
    // Or nothing would have been shown.
    expect(runsThatFinishedSome).toBeGreaterThan(kills / 3);
    expect(last.asked.length).toBeLessThan(chunks);
  },
  manyProcessesMs,
);

it(
  'brings an update by fetching what it does not have, and repairs by fetching what is broken',
  async () => {
    await using world = await DownloadWorld.start(game);
    expect((await world.inTurn(commands)).code).toBe(0);
    const all = world.chunks;
    const updated = new PublishedGame({ ...plan, version: 2 });
    updated.on(world.platform);
    const { asked } = await oneRun(world, async () =>
      expect((await world.inTurn(commands, ['--verify'])).code).toBe(0),
    );
    expect(treeOn(world.game)).toEqual(updated.expected());
    expect(asked.length).toBeLessThan(all / 2);
  },
  manyProcessesMs,
);
