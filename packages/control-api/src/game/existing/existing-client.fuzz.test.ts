import { stringifyExact } from '@steward/service-kit/json';
import { damaged } from '@steward/testing/hostile/bytes';
import { hostileJson } from '@steward/testing/hostile/json';
import { withstandAsync } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import {
  existingCabins,
  existingFarmhands,
  existingPlayers,
  existingRendering,
  existingSettings,
  existingStats,
  existingStatus,
  sectionsOf,
  selfHostedOf,
} from './existing-answers.ts';
import { ExistingClient, ExistingUnreachable } from './existing-client.ts';
import { existingLimits } from './existing-limits.ts';

afterEach(() => vi.unstubAllGlobals());

const id = 620826087702429;
const answers = {
  status: {
    playerCount: 1,
    maxPlayers: 4,
    steamInviteCode: 'S1',
    gogInviteCode: 'G1',
    serverVersion: '1',
    gameVersion: '1',
    isOnline: true,
    isReady: true,
    dayTransitionComplete: true,
    isPaused: false,
    farmName: 'Hill',
    farmTypeKey: 'x',
    day: 1,
    season: 'spring',
    year: 1,
    timeOfDay: 600,
    version: 3,
  },
  players: { players: [{ id, name: 'Ann' }], version: 1 },
  farmhands: { farmhands: [{ id, name: 'Ann', isCustomized: true }], version: 1 },
  cabins: {
    strategy: 'None',
    savedPositionPlayerIds: [id],
    cabins: [
      {
        tileX: 1,
        tileY: 2,
        isHidden: false,
        type: 'Normal',
        ownerId: id,
        ownerName: 'Ann',
        isAssigned: true,
      },
    ],
  },
  rendering: { fps: 60 },
  stats: {
    fps: 60,
    tps: 60,
    targetTps: 60,
    avgTickMs: 1.5,
    memoryMb: 200.25,
    gcGen0: 1,
    gcGen1: 1,
    gcGen2: 1,
    pendingActions: 0,
    gameThreadWaitMs: 0.1,
    uptimeSeconds: 7,
  },
  settings: { game: { farmName: 'Hill', list: [1, { a: id }] }, server: { maxPlayers: 4 } },
};
const write = {
  success: true,
  playerId: id,
  playerName: 'Ann',
  fps: 30,
  previousFps: 60,
  timeOfDay: 600,
  error: 'x',
};

function text(sample: object): fc.Arbitrary<Buffer> {
  const near = hostileJson(sample).map((each) =>
    Buffer.from(each.replaceAll(String(id), '620826087702429092')),
  );
  return fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: damaged(near) });
}

/** One of the answers is hostile; the others are what they should be. */
const oneHostile = fc
  .constantFrom(...(Object.keys(answers) as (keyof typeof answers)[]))
  .chain((name) => fc.tuple(fc.constant(name), text(answers[name])));

function client(answer: (path: string) => { body: Uint8Array | string; status?: number }): ExistingClient {
  vi.stubGlobal('fetch', async (url: URL) => {
    const { body, status = 200 } = answer(url.pathname);
    return new Response(Buffer.from(body), { status });
  });
  return new ExistingClient({ url: new URL('http://existing:8080'), key: undefined, limits: existingLimits });
}

it(
  'a hostile existing server’s answers are sections that can be shown, or it counts as out of reach',
  { timeout: 3_600_000 },
  () =>
    fc.assert(
      fc.asyncProperty(oneHostile, async ([name, body]) => {
        const asked = client((path) => ({
          body: path === `/${name}` ? body : stringifyExact(answers[path.slice(1) as keyof typeof answers]),
        }));
        const { signal } = new AbortController();
        try {
          const reads = await withstandAsync(async () => ({
            status: (await asked.read('/status', existingStatus, signal)).body,
            players: (await asked.read('/players', existingPlayers, signal)).body,
            farmhands: (await asked.read('/farmhands', existingFarmhands, signal)).body,
            cabins: (await asked.read('/cabins', existingCabins, signal)).body,
            rendering: (await asked.read('/rendering', existingRendering, signal)).body,
            stats: (await asked.read('/stats', existingStats, signal)).body,
            settings: (await asked.read('/settings', existingSettings, signal)).body,
          }));
          expect(stringifyExact(sectionsOf(reads))).not.toBe('');
          expect(stringifyExact(selfHostedOf(reads))).not.toBe('');
          for (const player of reads.players.players) expect(player.id).toMatch(/^-?[0-9]{1,20}$/);
        } catch (error) {
          expect(error).toBeInstanceOf(ExistingUnreachable);
        }
      }),
      { numRuns: count({ small: 150, long: 50_000 }) },
    ),
);

it(
  'a hostile answer to a write is one of the four kinds, and never says done of what was not said',
  { timeout: 3_600_000 },
  () =>
    fc.assert(
      fc.asyncProperty(text(write), fc.constantFrom(200, 204, 401, 408, 500, 503), async (body, status) => {
        const asked = client(() => ({ body: status === 204 ? '' : body, status }));
        const result = await withstandAsync(() =>
          asked.write({ method: 'POST', path: '/rendering', query: { fps: '30' } }),
        );
        expect(result.kind).toMatch(/^(answer|busy|not-sent|unknown)$/);
        if (result.kind === 'answer') expect(status).toBe(200);
      }),
      { numRuns: count({ small: 150, long: 50_000 }) },
    ),
);

it('an answer without end is read to its limit and no further', { timeout: 3_600_000 }, async () => {
  const chunk = new Uint8Array(1024 * 1024).fill(0x20);
  let pulled = 0;
  vi.stubGlobal('fetch', async () => {
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(chunk);
      },
    });
    return new Response(endless);
  });
  const asked = new ExistingClient({
    url: new URL('http://existing:8080'),
    key: undefined,
    limits: existingLimits,
  });
  const read = asked.read('/status', existingStatus, new AbortController().signal);
  await expect(read).rejects.toThrow('longer than 4194304 bytes');
  expect(pulled).toBeLessThan(10);
});

it.each([
  ['250', 250],
  ['', 0],
  ['-5', 0],
  ['1e300', 0],
  ['soon', 0],
])('an age of "%s" is %i milliseconds', async (age, ageMs) => {
  vi.stubGlobal('fetch', async () =>
    Response.json(answers.rendering, { headers: { 'x-snapshot-age-ms': age } }),
  );
  const url = new URL('http://existing:8080');
  const asked = new ExistingClient({ url, key: undefined, limits: existingLimits });
  const { signal } = new AbortController();
  expect(await asked.read('/rendering', existingRendering, signal)).toEqual({ body: { fps: 60 }, ageMs });
});
