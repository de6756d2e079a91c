import type { AddressInfo } from 'node:net';
import { StewardError } from '@steward/client';
import { farmOf } from '@steward/client/farm';
import type { World } from '@steward/client/tries';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { expect, it } from 'vitest';
import { openApi, testKey } from '../api/stage/open-api.ts';
import { fates, startCuttingProxy } from './cutting-proxy.ts';
import { fasterWorld } from './faster-world.ts';

const deeds = count({ small: 80, long: 10_000 });
const atOnce = 10;

/** A second of a client's waits takes this test two milliseconds. */
const faster = 500;

interface StageOptions {
  readonly retries: number;
  readonly fetch?: World['fetch'];
}

/** A client whose requests and answers are lost as the seed says, before the real service with a farm. */
async function cutStage({ retries, fetch = globalThis.fetch }: StageOptions) {
  const api = await openApi({ key: testKey });
  using _client = await api.listen();
  const random = seededRandom(seed);
  const { port } = api.app.server.address() as AddressInfo;
  const proxy = await startCuttingProxy(port, () =>
    random() < 0.3 ? 'passes' : (fates[Math.floor(random() * fates.length)] ?? 'passes'),
  );
  const farm = farmOf(
    { url: proxy.url, key: testKey, retries, timeoutMs: 20_000 * faster },
    fasterWorld({ faster, random, fetch }),
  );
  return {
    farm,
    met: proxy.met,
    /** Time goes on, without which a game that says so much would be one that says too much. */
    goOn() {
      api.farm.tick();
      api.clock.advance(50);
    },
    /** How often the farm has shown each line, with those that came late. */
    async shown() {
      await proxy.quiet();
      const times = new Map<string, number>();
      for (const { message } of api.farm.said)
        times.set(String(message), (times.get(String(message)) ?? 0) + 1);
      return times;
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

type Stage = Awaited<ReturnType<typeof cutStage>>;

/** Says so many lines, several at a time, and tells how each ended. */
async function say({ farm, goOn }: Stage, lines: number): Promise<readonly (StewardError | undefined)[]> {
  const outcomes: (StewardError | undefined)[] = [];
  let next = 0;
  const one = async () => {
    while (next < lines) {
      const line = next++;
      goOn();
      outcomes[line] = await farm.sendChat({ message: `line ${line}` }).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof StewardError) return error;
          throw error;
        },
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return outcomes;
}

it(`does each of ${deeds} deeds once, however requests and answers are lost`, async () => {
  await using stage = await cutStage({ retries: 60 });
  const outcomes = await say(stage, deeds);
  expect(outcomes.filter((error) => error !== undefined)).toEqual([]);
  expect(new Set(stage.met)).toEqual(new Set(fates));
  expect(await stage.shown()).toEqual(
    new Map(Array.from({ length: deeds }, (_, line) => [`line ${line}`, 1])),
  );
});

it('does none twice that it gives up, and says that nobody knows of it', async () => {
  await using stage = await cutStage({ retries: 1 });
  const outcomes = await say(stage, deeds);
  const shown = await stage.shown();
  const givenUp = outcomes.filter((error) => error !== undefined);
  expect(givenUp.length).toBeGreaterThan(0);
  expect(givenUp.map(({ applied }) => applied)).toEqual(givenUp.map(() => null));
  expect(Math.max(...shown.values())).toBe(1);
  for (const [line, error] of outcomes.entries())
    if (error === undefined) expect(shown.get(`line ${line}`)).toBe(1);
});

it('would see deeds that are done twice, as they are without a key', async () => {
  await using stage = await cutStage({
    retries: 60,
    fetch: (url, init = {}) => {
      const { 'idempotency-key': _key, ...headers } = init.headers as Record<string, string>;
      return fetch(url, { ...init, headers });
    },
  });
  await say(stage, 50);
  expect(Math.max(...(await stage.shown()).values())).toBeGreaterThan(1);
});
