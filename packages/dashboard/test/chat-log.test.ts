import type { Event } from '@steward/client';
import { expect, it } from 'vitest';
import type { FarmStore } from '../src/farm/farm-store.ts';
import { ChatLog, mostHeld } from '../src/views/chat/chat-log.ts';

const said = (number: number, database = 'e') =>
  ({
    type: 'chat.said',
    at: '2026-11-23T12:00:00.000Z',
    cursor: `${database}-${number}`,
    data: { playerId: 5n, playerName: 'Ann', message: `line ${number}` },
  }) as unknown as Event;

interface Asked {
  readonly limit?: number;
  readonly before?: string;
  readonly after?: string;
}

/** A farm of which this many lines were said, perhaps with some lost between them, and those that are heard from now on. */
function farm(earlier: number, isLostBetween = false) {
  const many = (count: number, database?: string) =>
    Array.from({ length: count }, (_, number) => said(number, database));
  let all = many(earlier);
  let unreadable = 0;
  let open = () => {};
  let tell: (event: Event) => void = () => {};
  const client = {
    async getEvents({ limit = 0, before, after }: Asked) {
      const cursor = all.at(-1)?.cursor;
      const placeOf = (place: string) => all.findIndex((each) => each.cursor === place);
      const end = before === undefined ? all.length : placeOf(before);
      if (end < 0) return { events: [], gap: true, cursor };
      const begin = after === undefined ? Math.max(unreadable, end - limit) : placeOf(after) + 1;
      const isMissing = unreadable > 0 || (isLostBetween && end > begin);
      return { events: all.slice(begin, end), gap: isMissing, cursor };
    },
  };
  const store = {
    client,
    onEvent: (hear: typeof tell) => {
      tell = hear;
    },
    onOpen: (opened: typeof open) => {
      open = opened;
    },
  } as unknown as FarmStore;
  return {
    log: ChatLog.of(store),
    /** Told of a place behind which something is lost. */
    lose: (after: number) => tell({ ...said(after), type: 'gap', data: {} } as unknown as Event),
    /** So many of the first cannot be read from now on. */
    hide(count: number) {
      unreadable = count;
    },
    /** Another database is there from now on, with so many lines. */
    replace(count: number) {
      all = many(count, 'f');
    },
    open: () => open(),
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

it('says that something before may be missing where the server says so, and looks for it once it is connected again', async () => {
  const { log, hide, open } = farm(3);
  hide(2);
  await log.goBack();
  expect([texts(log), log.hasMore.peek(), log.mayMiss.peek()]).toEqual([['line 2'], false, true]);
  hide(0);
  open();
  await expect.poll(() => texts(log)).toEqual(['line 0', 'line 1', 'line 2']);
  expect([log.hasMore.peek(), log.mayMiss.peek()]).toEqual([false, false]);
});

it('says nothing of older messages where what is missing lies between those that it shows', async () => {
  const { log } = farm(3, true);
  await log.goBack();
  expect(texts(log)).toEqual(['line 0', 'line 1', 'line 2']);
  expect([log.hasMore.peek(), log.mayMiss.peek()]).toEqual([false, false]);
});

it('begins again where the server has another database by now, which knows none of the places that it knows', async () => {
  const { log, replace } = farm(300);
  const lines = (first: number, end: number) =>
    Array.from({ length: end - first }, (_, index) => `line ${first + index}`);
  await log.goBack();
  expect(texts(log)).toEqual(lines(100, 300));
  replace(250);
  await log.goBack();
  expect(texts(log)).toEqual(lines(50, 250));
  expect(log.hasMore.peek()).toBe(true);
  await log.goBack();
  expect(texts(log)).toEqual(lines(0, 250));
});
