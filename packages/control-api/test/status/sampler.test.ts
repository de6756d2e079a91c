import { emptyFarm } from '@steward/testing/game/empty-farm';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { Sampler } from '../../src/status/sampler.ts';
import type { Sample } from '../../src/store/tables/samples.ts';
import { ExistingStage } from '../game/stage/existing-stage.ts';
import { hello, openStage, settled } from '../game/stage/stage.ts';

const minuteMs = 60_000;
const start = Date.UTC(2026, 10, 21);
const firstMinute = start / minuteMs;
const memoryBytes = () => 91.4 * 1024 * 1024;

async function openSampled(at = start) {
  const clock = new ManualClock(new Date(at));
  const { bridge, game, mode } = await openStage({ clock });
  const samples: Sample[] = [];
  const sampler = new Sampler({ bridge, samples: { keep: (one) => samples.push(one) }, clock, memoryBytes });
  sampler.start();
  let count = 0;
  const seconds = async (many: number, ticks: number) => {
    for (let second = 0; second < many; second += 1) {
      // Shortly before, so that a tick is not due together with a sample.
      clock.advance(900);
      count += ticks;
      if (ticks > 0) game.say({ jsonrpc: '2.0', method: 'tick', params: { count } });
      await settled();
      clock.advance(100);
    }
  };
  return { bridge, clock, game, mode, sampler, samples, seconds };
}

it('has players, pace and memory of each minute, and of a minute without a game what there is', async () => {
  const { game, samples, seconds } = await openSampled();
  const { status, stats } = emptyFarm();
  const told = { status: { ...status, playerCount: 3 }, stats: { ...stats, memoryMb: 512.5 } };
  const state = { ...emptyFarm(), ...told };
  game.say({ jsonrpc: '2.0', method: 'state', params: state });
  await seconds(60, 60);
  await seconds(30, 60);
  await seconds(30, 0);
  game.cut();
  await seconds(60, 0);
  expect(samples).toEqual([
    {
      minute: firstMinute,
      players: 3,
      ticks: 6_000,
      tickGapMs: 1_000,
      bridgeLatencyMs: null,
      serviceMemoryMb: 91,
      gameMemoryMb: 513,
    },
    {
      minute: firstMinute + 1,
      players: 3,
      ticks: 2_995,
      tickGapMs: 30_100,
      bridgeLatencyMs: null,
      serviceMemoryMb: 91,
      gameMemoryMb: 513,
    },
    {
      minute: firstMinute + 2,
      players: 0,
      ticks: null,
      tickGapMs: null,
      bridgeLatencyMs: null,
      serviceMemoryMb: 91,
      gameMemoryMb: null,
    },
  ]);
});

it('has nobody and nothing of the game before in a minute in which one has come back and not told everything', async () => {
  const { game, mode, samples, seconds } = await openSampled();
  const { status } = emptyFarm();
  const state = { ...emptyFarm(), status: { ...status, playerCount: 3 } };
  game.say({ jsonrpc: '2.0', method: 'state', params: state });
  await seconds(60, 60);
  game.cut();
  await settled();
  const back = mode.connect();
  back.say(hello);
  await seconds(60, 0);
  back.say({ jsonrpc: '2.0', method: 'state', params: state });
  await seconds(60, 0);
  expect(samples.map(({ players, gameMemoryMb }) => [players, gameMemoryMb === null])).toEqual([
    [3, false],
    [0, true],
    [3, false],
  ]);
});

it('has the longest that a command waited until the game came to it, claimed or not', async () => {
  const { bridge, game, clock, samples, seconds } = await openSampled();
  const sendAndHear = async () => {
    void bridge.run({ name: 'save', params: {} });
    await settled();
    return game.heard().find(({ method }) => method === 'save') as {
      id: string;
      params: { command: string };
    };
  };
  await seconds(1, 60);
  const { params } = await sendAndHear();
  clock.advance(340);
  game.say({ jsonrpc: '2.0', id: '50', method: 'claim', params });
  await settled();
  clock.advance(700);
  const outcome = { outcome: 'applied', before: {}, after: {} };
  game.say({ jsonrpc: '2.0', id: '1', result: outcome });
  const { id } = await sendAndHear();
  clock.advance(20);
  game.say({ jsonrpc: '2.0', id, result: { outcome: 'refused', code: 'busy', message: 'Later' } });
  await settled();
  clock.advance(minuteMs);
  await seconds(1, 60);
  await sendAndHear();
  clock.advance(minuteMs);
  await settled();
  clock.advance(minuteMs);
  expect(samples.map(({ bridgeLatencyMs }) => bridgeLatencyMs)).toEqual([340, 5_000, null]);
});

it('keeps whole numbers, whatever a game says', async () => {
  const { game, samples, clock } = await openSampled();
  const { stats } = emptyFarm();
  game.say({
    jsonrpc: '2.0',
    method: 'state',
    params: { ...emptyFarm(), stats: { ...stats, memoryMb: Number.MAX_VALUE } },
  });
  game.say({ jsonrpc: '2.0', method: 'tick', params: { count: 0 } });
  game.say({ jsonrpc: '2.0', method: 'tick', params: { count: Number.MAX_SAFE_INTEGER } });
  await settled();
  clock.advance(minuteMs);
  const most = 2 ** 31 - 1;
  expect(samples).toMatchObject([{ players: 0, ticks: most, gameMemoryMb: most }]);
});

it('begins with the first minute of which it has seen a half, and passes over none', async () => {
  for (const [startsAt, first] of [
    [start + 29_999, firstMinute],
    [start + 30_000, firstMinute + 1],
  ] as const) {
    const { clock, samples } = await openSampled(startsAt);
    clock.advance(5 * minuteMs);
    const minutes = samples.map(({ minute }) => minute);
    expect(minutes).toEqual(minutes.map((_, index) => first + index));
    expect(minutes.length).toBeGreaterThanOrEqual(4);
  }
});

it('goes by the time of day, also when that is set', async () => {
  const { clock, samples, sampler } = await openSampled();
  clock.advance(2 * minuteMs);
  clock.setWallClock(-10 * minuteMs + 3_000);
  clock.advance(2 * minuteMs);
  clock.setWallClock(45 * minuteMs);
  clock.advance(2 * minuteMs);
  const minutes = samples.map(({ minute }) => minute - firstMinute);
  expect(minutes).toEqual([0, 1, -8, -7, 39, 40]);
  sampler.stop();
  clock.advance(10 * minuteMs);
  expect(samples).toHaveLength(6);
});

it('has the pace of a game behind the existing server, whose single ticks are not heard', async () => {
  await using stage = new ExistingStage();
  const { farm, origin } = await stage.server();
  const { bridge, live } = await stage.bridgeTo(origin, 'k', {}, { healthMs: 20 });
  expect(bridge.takePace()).toBeUndefined();
  await live();
  let pace = bridge.takePace();
  for (; pace?.perSecond === undefined; pace = bridge.takePace())
    await new Promise((resolve) => farm.once('snapshot', resolve));
  expect(pace).toEqual({ perSecond: expect.any(Number), bridgeLatencyMs: expect.any(Number) });
});
