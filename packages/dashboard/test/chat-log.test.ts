import type { Event } from '@steward/client';
import { expect, it } from 'vitest';
import type { FarmStore } from '../src/farm/farm-store.ts';
import { ChatLog, mostHeld } from '../src/views/chat/chat-log.ts';

const said = (number: number) =>
  ({
    type: 'chat.said',
    at: '2026-11-23T12:00:00.000Z',
    cursor: `e-${number}`,
    data: { playerId: 5n, playerName: 'Ann', message: `line ${number}` },
  }) as unknown as Event;

/** A farm of which this many lines were said, and those that are heard from now on. */
function farm(earlier: number) {
  const all = Array.from({ length: earlier }, (_, number) => said(number));
  let tell: (event: Event) => void = () => {};
  const client = {
    async getEvents({ limit = 0, before }: { readonly limit?: number; readonly before?: string }) {
      const end = before === undefined ? all.length : all.findIndex(({ cursor }) => cursor === before);
      return { events: all.slice(Math.max(0, end - limit), end), cursor: all.at(-1)?.cursor };
    },
  };
  const store = {
    client,
    onEvent: (hear: typeof tell) => {
      tell = hear;
    },
    onOpen: () => {},
  } as unknown as FarmStore;
  return {
    log: ChatLog.of(store),
    /** Told of a place behind which something is lost. */
    lose: (after: number) => tell({ ...said(after), type: 'gap', data: {} } as unknown as Event),
    hear(count: number) {
      for (let each = 0; each < count; each += 1) {
        all.push(said(all.length));
        tell(all.at(-1) as Event);
      }
    },
  };
}

const texts = (log: ChatLog) => log.lines.peek().map(({ text }) => text);

it('a page that is open for weeks holds the newest lines alone, and finds the others when somebody goes back', async () => {
  const { log, hear } = farm(100);
  await log.goBack();
  expect(log.hasMore.peek()).toBe(false);
  hear(3 * mostHeld);
  const held = texts(log).length;
  expect(held).toBeLessThan(1.2 * mostHeld);
  expect(texts(log).at(-1)).toBe(`line ${99 + 3 * mostHeld}`);
  expect(log.hasMore.peek()).toBe(true);
  await log.lookFurther();
  const first = 100 + 3 * mostHeld - held - 1_000;
  expect(texts(log)).toEqual(Array.from({ length: held + 1_000 }, (_, index) => `line ${first + index}`));
});

it('what somebody has gone back for stays while more is said', async () => {
  const { log, hear } = farm(2 * mostHeld);
  while (log.hasMore.peek() !== false) await log.lookFurther();
  expect(texts(log).length).toBe(2 * mostHeld);
  hear(100);
  expect(texts(log)[0]).toBe('line 0');
});

it('says once where something is lost, though what it is lost behind is known', async () => {
  const { log, hear, lose } = farm(3);
  await log.goBack();
  lose(2);
  lose(2);
  hear(1);
  const shown = log.lines.peek().map(({ isGap, text }) => isGap ?? text);
  expect(shown).toEqual(['line 0', 'line 1', 'line 2', true, 'line 3']);
});
