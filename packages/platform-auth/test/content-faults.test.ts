import type { CdnHostPlan } from '@steward/platform-emulator/cdn/cdn-host-plan';
import { chunksInMemory } from '@steward/platform-emulator/depot/chunk-store';
import type { DepotFile } from '@steward/platform-emulator/depot/depot';
import { buildGame } from '@steward/platform-emulator/depot/game/build-game';
import { programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { hostileDepots, hostileDistortions } from '@steward/platform-emulator/depot/hostile-depots';
import { makeDepot } from '@steward/platform-emulator/depot/make-depot';
import { edgeStatuses, type Fault } from '@steward/platform-emulator/faults/fault-plan';
import { systemClock } from '@steward/service-kit/clock';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { afterAll, describe, expect, it } from 'vitest';
import { DecodePool } from '../src/download/decode/decode-pool.ts';
import { checkContent } from '../src/download/names/file-content.ts';
import { ContentRun, type ContentRunOptions, wantedOf } from './world/content-run.ts';
import { gameApp } from './world/emulated.ts';
import { fastClock } from './world/fast-clock.ts';

/** More chunks than the last one that a fault below is for, small and of every format. */
const files = Array.from({ length: 64 }, (_, index): DepotFile => {
  const name = `Content/Asset${index}.xnb`;
  return { kind: 'file', name, content: programLike(name, 3_000 + 200 * index) };
});
const linux = makeDepot({ depotId: 413_153, name: 'Linux', chunkStore: chunksInMemory() }, files);
const apps = [{ appId: gameApp, name: 'Farm', depots: [{ depot: linux }] }];

/** Waits of seconds take milliseconds: stalls, pauses and what servers ask for. */
const fast = fastClock(50);

/**
 * Where requests are counted, or their times taken, and hardly anything has to be waited for: a machine that stands still for a fifth of
 * a second had let a good server fail by the fast one, and then the bad one is rightly asked again.
 */
const steady = { clock: systemClock };

/** A thread takes longer to start than a run of this small game to decode. */
const pool = new DecodePool({ clock: systemClock });
afterAll(() => pool.close());

function start(options: ContentRunOptions = {}): Promise<ContentRun> {
  return ContentRun.start({ apps, clock: fast, pool, ...options });
}

/** Fetches all of it, and holds that everything came, once. */
async function everythingComes(run: ContentRun): Promise<void> {
  const manifests = await run.manifests(gameApp);
  const delivered = await run.fetchAll(manifests);
  expect(delivered.size).toBe(wantedOf(manifests).length);
  expect([...delivered.values()].every((times) => times === 1)).toBe(true);
}

const faults: readonly (readonly [string, Fault])[] = [
  ...edgeStatuses.map((status): readonly [string, Fault] => [`answers of ${status}`, { status }]),
  ['connections cut before an answer', { resetAtByte: 0 }],
  ['connections cut in the middle', { resetAtByte: 700 }],
  ['servers that never answer', { stallAtByte: 0 }],
  ['answers that stop in the middle', { stallAtByte: 700 }],
  ['late answers', { latencyMs: 30 }],
  ['a crawl', { bytesPerSecond: 2_000 }],
  ['other bytes', { damage: 'wrong-bytes' }],
  ['half of the bytes', { damage: 'truncated' }],
  ['a flipped bit', { damage: 'corrupt' }],
];

it.each(faults)(
  'everything comes, once, over %s: now and then, and all the time from one server',
  async (_, fault) => {
    await using run = await start({ contentHosts: [{ name: 'bad' }, { name: 'first' }, { name: 'second' }] });
    const plan = run.world.platform.faults;
    plan.add({ when: { host: run.world.platform.cdn.host('bad').address }, fault });
    plan.add({ when: { kind: 'manifest' }, nth: 1, fault });
    plan.add({ when: { kind: 'chunk' }, nth: [1, 2, 9, 30, 31, 32], fault });
    await everythingComes(run);
  },
);

describe('content servers', () => {
  const hosts: Readonly<Record<string, CdnHostPlan[]>> = {
    'that are dead': [{ name: 'dead', dead: true }, { name: 'also dead', dead: true }, { name: 'good' }],
    'that refuse the depot': [{ name: 'bad', refusedDepotIds: [linux.depotId] }, { name: 'good' }],
    'that serve other apps': [{ name: 'other', allowedAppIds: [1] }, { name: 'good' }],
    'that demand a token and say so': [{ name: 'token', demandsToken: true }],
  };
  it.each(Object.keys(hosts))('%s are got along with', async (name) => {
    await using run = await start({ contentHosts: hosts[name] ?? [] });
    await everythingComes(run);
  });

  it('that serve other apps are not asked at all', async () => {
    await using run = await start({ contentHosts: hosts['that serve other apps'] ?? [] });
    await everythingComes(run);
    const host = run.world.platform.cdn.host('other').address;
    expect(run.world.platform.record.count({ host })).toBe(0);
  });

  it('that refuse the depot are asked once for each, not for every chunk', async () => {
    await using run = await start({ contentHosts: hosts['that refuse the depot'] ?? [], ...steady });
    await everythingComes(run);
    const host = run.world.platform.cdn.host('bad').address;
    expect(run.world.platform.record.count({ host })).toBeLessThanOrEqual(3);
  });

  it('that demand a token get one for the whole depot', async () => {
    await using run = await start({ contentHosts: hosts['that demand a token and say so'] ?? [] });
    await everythingComes(run);
    expect(run.world.platform.record.count({ path: 'ClientGetCDNAuthToken' })).toBe(1);
  });

  it.each<[string, Fault]>([
    ['refuses', { eresult: 2 }],
    ['does not answer', { stallAtByte: 0 }],
  ])(
    'that refuse hold nothing up beside one that does not, where the platform %s to give a token',
    async (_, fault) => {
      await using run = await start({ contentHosts: hosts['that refuse the depot'] ?? [], ...steady });
      const { faults, record, cdn } = run.world.platform;
      const token = { path: 'ClientGetCDNAuthToken' };
      faults.add({ when: token, fault });
      const manifests = await run.manifests(gameApp);
      const began = run.world.platform.record.count({ kind: 'chunk' });
      expect(began).toBe(0);
      await run.fetchAll(manifests);
      // Nobody waited for the answer, and nobody asked again.
      expect(record.count(token)).toBe(1);
      expect(record.count({ host: cdn.host('bad').address })).toBe(1);
    },
  );

  it('that are alone and demand a token are waited for until the platform gives one', async () => {
    await using run = await start({ contentHosts: [{ name: 'token', demandsToken: true }] });
    const token = { path: 'ClientGetCDNAuthToken' };
    run.world.platform.faults.add({ when: token, times: 3, fault: { eresult: 2 } });
    await everythingComes(run);
    expect(run.world.platform.record.count(token)).toBe(4);
  });

  it('that are alone and get no token end the run, which says so', async () => {
    await using run = await start({ contentHosts: [{ name: 'token', demandsToken: true }] });
    run.world.platform.faults.add({ when: { path: 'ClientGetCDNAuthToken' }, fault: { eresult: 15 } });
    await expect(everythingComes(run)).rejects.toThrow(/needs a token that the platform did not give/);
  });

  it('that ask for time get it', async () => {
    await using run = await start({ contentHosts: [{ name: 'only' }], ...steady });
    const { faults, record } = run.world.platform;
    const seconds = 1;
    const busy = { status: 503, retryAfter: String(seconds) };
    faults.add({ when: { kind: 'chunk' }, times: 2, fault: busy });
    await everythingComes(run);
    const asked = record.matching({ kind: 'chunk' });
    for (const { outcome, number, path, finishedAt = 0 } of asked) {
      if (outcome !== busy.status) continue;
      const next = asked.find((each) => each.number > number && each.path === path);
      // A timer may come a millisecond early.
      expect((next?.at ?? 0) - finishedAt).toBeGreaterThan(seconds * 1_000 - 2);
    }
    expect(asked.filter(({ outcome }) => outcome === busy.status)).toHaveLength(2);
  });

  it('are asked the fastest first', async () => {
    // Enough chunks for those that are asked before either server is known to be few of them.
    const { linux: depot } = buildGame({ seed: 'faults', bytes: 1_000_000, format: 'zstd' });
    const larger = [{ appId: gameApp, name: 'Farm', depots: [{ depot }] }];
    const contentHosts = [{ name: 'slow' }, { name: 'fast' }];
    await using run = await start({ apps: larger, contentHosts, ...steady });
    const { cdn, faults, record } = run.world.platform;
    faults.add({ when: { host: cdn.host('slow').address }, fault: { latencyMs: 2_000 } });
    await everythingComes(run);
    const slow = record.count({ host: cdn.host('slow').address });
    expect(slow).toBeLessThan(record.count({ host: cdn.host('fast').address }) / 4);
  });
});

it('a chunk that nobody has ends the run, with each server’s last word', async () => {
  // Nothing is waited for here; by the fast clock a busy machine would stand still, and that be the last word.
  await using run = await start({ clock: systemClock });
  const [missing] = linux.chunkIds;
  run.world.platform.faults.add({ when: { path: new RegExp(`${missing}`) }, fault: { status: 404 } });
  const { cdn } = run.world.platform;
  await expect(everythingComes(run)).rejects.toMatchObject({
    problem: 'unavailable',
    message: expect.stringMatching(
      `No content server has chunk ${missing} of depot ${linux.depotId}: .*${cdn.host('first').address} answered 404`,
    ),
  });
});

it('an abort ends the run at once, whatever it waits for', async () => {
  await using run = await start();
  const manifests = await run.manifests(gameApp);
  run.world.platform.faults.add({ when: { kind: 'chunk' }, fault: { stallAtByte: 3 } });
  const fetching = run.fetchAll(manifests);
  await run.world.platform.record.seen({ kind: 'chunk' }, 2);
  run.stop.abort(new Error('that is enough'));
  await expect(fetching).rejects.toThrow('that is enough');
});

it('what goes wrong in delivering ends the run', async () => {
  await using run = await start();
  const manifests = await run.manifests(gameApp);
  const full = run.content.chunks.fetchAll(
    wantedOf(manifests),
    () => Promise.reject(new Error('the disk is full')),
    run.stop.signal,
  );
  await expect(full).rejects.toThrow('the disk is full');
});

it('request codes are asked for again when the old one is refused', async () => {
  await using run = await start(steady);
  run.world.platform.faults.add({ when: { kind: 'manifest' }, nth: 1, fault: { status: 401 } });
  await run.manifests(gameApp);
  expect(run.world.platform.record.count({ path: /GetManifestRequestCode/ })).toBe(2);
});

describe('a manifest with a', () => {
  const harmless = new Set(['chunk with a wrong hash', 'chunk with a wrong Adler', 'file with a wrong hash']);
  const depots = hostileDepots(linux.depotId);
  it.each(Object.keys(hostileDistortions).filter((danger) => !harmless.has(danger)))(
    '%s is refused as a whole',
    async (danger) => {
      const depot = depots.get(danger);
      if (depot === undefined) throw new Error(`no depot with ${danger}`);
      await using run = await start({ apps: [{ appId: gameApp, name: 'Farm', depots: [{ depot }] }] });
      const checked = run
        .manifests(gameApp)
        .then((manifests) => manifests.flatMap(({ files }) => files).forEach(checkContent));
      await expect(checked).rejects.toThrow(/^The manifest \d+ of d|list of files is not safe to follow: "/);
    },
  );
});

describe('in chaos', () => {
  const rounds = count({ small: 3, long: 100 });
  it.each(Array.from({ length: rounds }, (_, round) => round))(
    'everything comes, once: round %i',
    async (round) => {
      const random = seededRandom(seed + round);
      const names = ['one', 'two', 'three', 'token', 'picky', 'dead', 'dying'];
      await using run = await start({
        contentHosts: names.map((name) => ({
          name,
          ...(name === 'token' ? { demandsToken: true } : {}),
          ...(name === 'picky' ? { refusedDepotIds: [linux.depotId] } : {}),
          ...(name === 'dead' ? { dead: true } : {}),
        })),
      });
      const { cdn, faults: plan } = run.world.platform;
      for (let index = 0; index < 40; index++) {
        const [, fault] = faults[Math.floor(random() * faults.length)] ?? ['', {}];
        const nth = 1 + Math.floor(random() * 60);
        plan.add({ when: { kind: random() < 0.1 ? 'manifest' : 'chunk' }, nth, fault });
      }
      const manifests = await run.manifests(gameApp);
      const fetching = run.fetchAll(manifests);
      await run.world.platform.record.seen({ kind: 'chunk' }, 20);
      await cdn.host('dying')[Symbol.asyncDispose]();
      const delivered = await fetching;
      expect(delivered.size).toBe(wantedOf(manifests).length);
      expect([...delivered.values()].every((times) => times === 1)).toBe(true);
    },
  );
});
