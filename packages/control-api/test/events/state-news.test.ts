import type { WholeState } from '@steward/shared/bridge/state';
import { expect, it } from 'vitest';
import { settled } from '../game/stage/stage.ts';
import type { Item, StreamReader } from './stage/stream-reader.ts';
import { joined, streamStage } from './stage/stream-stage.ts';

const gatherMs = 100;

async function newsOf(reader: StreamReader): Promise<Item | undefined> {
  const find = () => reader.items.find(({ type }) => type === 'state.changed');
  await reader.until(() => find() !== undefined);
  return find();
}

async function openStage() {
  const stage = await streamStage({ game: true });
  const { api } = stage;
  // That the game has come is told before anybody listens.
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
  await stage.shows({ rendering: { fps: 30 } });
  const told = await newsOf(reader);
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
