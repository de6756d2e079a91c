import type { WholeState } from '@steward/shared/bridge/state';
import { eventually } from '@steward/testing/eventually';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it, vi } from 'vitest';
import { StateNews } from '../../src/http/bodies/state-news.ts';
import type { FarmView } from '../../src/status/farm-view.ts';
import { fullFarm } from '../api/stage/full-farm.ts';
import { memoryEvents } from '../game/stage/memory-events.ts';
import { hello, settled } from '../game/stage/stage.ts';
import type { Item, StreamReader } from './stage/stream-reader.ts';
import { joined, streamStage } from './stage/stream-stage.ts';

const gatherMs = 100;
const lookMs = 5_000;

async function newsOf(reader: StreamReader, times = 1): Promise<Item | undefined> {
  const all = () => reader.items.filter(({ type }) => type === 'state.changed');
  await reader.until(() => all().length >= times);
  return all()[times - 1];
}

async function openStage() {
  const stage = await streamStage({ game: true });
  const { api } = stage;
  // That the game has come, and whose its farmhands are, is told before anybody listens.
  await eventually(async () => api.ownership.view.map, { missing: () => 'nobody knows the owners' });
  api.clock.advance(gatherMs);
  return {
    ...stage,
    /** What the game shows from now on. */
    async shows(sections: Partial<WholeState>): Promise<void> {
      api.farm.tell(sections);
      await settled();
      api.clock.advance(gatherMs);
    },
  };
}

it('says to who names the topic which reads are others now, once for what changes together, and only those', async () => {
  await using stage = await openStage();
  const reader = await stage.read({ query: '?topics=state' });
  // With the first may come what the farm's files are only just found to say, on a slow disk.
  await stage.shows({ rendering: { fps: 30 } });
  await newsOf(reader);
  await stage.shows({ rendering: { fps: 20 } });
  const told = await newsOf(reader, 2);
  expect(told?.data).toEqual({ reads: ['getRendering'] });
});

it('says that the status is another when the port for direct IP opens, which alone may be the way in', async () => {
  await using stage = await openStage();
  const reader = await stage.read({ query: '?topics=state' });
  await stage.shows({ rendering: { fps: 30 } });
  await newsOf(reader);
  const { networks } = fullFarm();
  await stage.shows({ networks: { ...networks, directIp: { listening: false, why: 'it is switched off' } } });
  expect((await newsOf(reader, 2))?.data).toEqual({ reads: ['getStatus'] });
  await stage.shows({ networks });
  expect((await newsOf(reader, 3))?.data).toEqual({ reads: ['getStatus'] });
});

it('says that trouble with the disk came and went, though neither the game nor an event tells of it', async () => {
  await using stage = await streamStage();
  const { api } = stage;
  api.clock.advance(gatherMs);
  const reader = await stage.read({ query: '?topics=state' });
  api.disk.failed(new Error('no room'));
  api.clock.advance(lookMs);
  expect((await newsOf(reader))?.data).toEqual({ reads: ['getStatus'] });
  await vi.waitFor(() => expect(api.disk.problem).toBeUndefined(), { interval: 5, timeout: 10_000 });
  api.clock.advance(lookMs);
  expect((await newsOf(reader, 2))?.data).toEqual({ reads: ['getStatus'] });
});

it('says that players are of now when the last of what a game that has come back tells is nothing that they are made from', async () => {
  await using stage = await openStage();
  const { api } = stage;
  const { networks, ...rest } = fullFarm();
  api.gameGoes();
  await settled();
  const back = api.mode.connect();
  back.say(hello);
  await settled();
  back.say({ jsonrpc: '2.0', method: 'state', params: rest });
  await settled();
  api.clock.advance(gatherMs);
  const reader = await stage.read({ query: '?topics=state' });
  back.say({ jsonrpc: '2.0', method: 'state', params: { networks } });
  await settled();
  api.clock.advance(gatherMs);
  expect((await newsOf(reader))?.data).toMatchObject({
    reads: expect.arrayContaining(['getStatus', 'listPlayers', 'listFarmhands', 'getStats']),
  });
});

it('looks by itself only while somebody who chose it listens', () => {
  const clock = new ManualClock();
  const same = {} as FarmView;
  const view = vi.fn(() => same);
  const never = { follow: () => () => {} };
  const bridge = { ...never, events: memoryEvents(clock) };
  const news = new StateNews({ bridge, view, clock });
  const passes = () => {
    view.mockClear();
    clock.advance(10 * lookMs);
    return view.mock.calls.length;
  };
  expect(passes()).toBe(0);
  const [endOne, endOther] = [news.follow(() => {}), news.follow(() => {})];
  expect(passes()).toBe(10);
  endOne();
  expect(passes()).toBe(10);
  endOther();
  endOther();
  expect(passes()).toBe(0);
});

it('has no place of its own in the log, is kept nowhere, and comes to nobody who names no topics', async () => {
  await using stage = await openStage();
  const everything = await stage.read();
  const named = await stage.read({ query: '?topics=state,players' });
  const before = stage.events.head;
  await stage.shows({ rendering: { fps: 30 } });
  const live = await newsOf(named);
  expect(live?.cursor).toBe(before);
  const after = stage.tell(joined);
  await everything.until(() => everything.items.some(({ cursor }) => cursor === after));
  expect(everything.items.map(({ type }) => type)).not.toContain('state.changed');
  const { body } = await stage.api.ask('GET', '/events?topics=state');
  expect(JSON.parse(body)).toMatchObject({ events: [], gap: false });
});

it('names all of these reads at the end of each page after a place, which cannot tell what was told meanwhile', async () => {
  await using stage = await openStage();
  const after = stage.tell(joined);
  const last = stage.tell(joined);
  const page = async (topics: string) => {
    const { body } = await stage.api.ask('GET', `/events?after=${after}&topics=${topics}`);
    return (JSON.parse(body) as { events: Item[] }).events;
  };
  expect(await page('players,state')).toMatchObject([
    { type: 'players.joined', cursor: last },
    {
      type: 'state.changed',
      cursor: last,
      data: { reads: expect.arrayContaining(['getStatus', 'listPlayers']) },
    },
  ]);
  expect((await page('players')).map(({ type }) => type)).toEqual(['players.joined']);
});
