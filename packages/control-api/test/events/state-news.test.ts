import type { WholeState } from '@steward/shared/bridge/state';
import { eventually } from '@steward/testing/eventually';
import { expect, it } from 'vitest';
import { settled } from '../game/stage/stage.ts';
import type { Item, StreamReader } from './stage/stream-reader.ts';
import { joined, streamStage } from './stage/stream-stage.ts';

const gatherMs = 100;

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
