import type { Farm } from '@steward/client';
import { StewardError } from '@steward/client';
import { ManualClock } from '@steward/testing/manual-clock';
import type { APIMessage } from 'discord-api-types/v10';
import { expect, it } from 'vitest';
import { DiscordTime, idAt } from '../discord/snowflakes.ts';
import { type Heard, Incoming } from './incoming.ts';
import { PlacesFile } from './places.ts';

const minuteMs = 60_000;

/** A channel and a farm, and how long ago the last line was carried. */
function stage(agoMs = minuteMs) {
  const clock = new ManualClock();
  const time = new DiscordTime(clock);
  const stopping = new AbortController();
  const said: string[] = [];
  const channel: Heard[] = [];
  const readFrom: string[] = [];
  let trouble: StewardError | undefined;
  const marked: string[] = [];
  let asked = 0;
  const patience: (number | undefined)[] = [];
  let forgotten = 0;
  let moved = () => {};
  const message = (content: string, agoMs = 0, id = idAt(time.nowMs() - agoMs)) =>
    ({ id, content, type: 0, author: { id: '5', username: 'ann' }, mentions: [] }) as unknown as Heard;
  const file = new PlacesFile(
    'places.json',
    { channel: '1', discord: idAt(clock.date().getTime() - agoMs) },
    () => Promise.resolve(),
  );
  const incoming = new Incoming({
    farm: {
      sendChat: (async ({ message: text }: { message: string }, { timeoutMs }: { timeoutMs?: number }) => {
        moved();
        asked += 1;
        patience.push(timeoutMs);
        if (trouble !== undefined) throw trouble;
        said.push(text);
        return { truncated: false };
      }) as unknown as Farm['sendChat'],
    },
    channel: {
      async *after(after) {
        readFrom.push(after);
        yield* channel.filter(({ id }) => BigInt(id) > BigInt(after)) as APIMessage[];
      },
      isOwn: () => false,
      forgetNicks: () => {
        forgotten += 1;
      },
      nickOf: () => Promise.resolve(undefined),
      saw: () => {},
      mark: async (id) => void marked.push(id),
      answer: () => Promise.resolve(),
    },
    file,
    names: () => undefined,
    hearsBots: false,
    clock,
    time,
    random: () => 0,
    log: { info: () => moved(), warn: () => {} },
  });
  return {
    clock,
    time,
    said,
    channel,
    readFrom,
    file,
    incoming,
    message,
    marked,
    patience,
    asked: () => asked,
    forgotten: () => forgotten,
    setAway(away: boolean) {
      trouble = away ? new StewardError('network', 'The server cannot be reached') : undefined;
    },
    setGameAway() {
      const problem = { code: 'game-unavailable', retry: true } as StewardError['problem'];
      trouble = new StewardError('game-unavailable', 'There is no game', { problem });
    },
    run() {
      incoming.catchUp();
      void incoming.run(stopping.signal);
    },
    /** Until the farm is asked again, or a line passed over. */
    next: () =>
      new Promise<void>((resolve) => {
        moved = () => setImmediate(resolve);
      }),
    [Symbol.dispose]: () => stopping.abort(),
  };
}

it('what comes a moment late, behind one that was written after it, is said all the same', async () => {
  using at = stage();
  const [first, second] = [at.message('first', 10), at.message('second')];
  at.run();
  await setImmediatePassed();
  for (const each of [second, first]) {
    const next = at.next();
    at.incoming.hear(each);
    await next;
  }
  expect(at.said).toEqual(['second', 'first']);
  expect(at.file.places.discord).toBe(second.id);
});

it('how old a line is tells the clock of Discord, whatever this machine’s says', async () => {
  using at = stage(180 * minuteMs);
  at.time.heard(new Date(at.clock.date().getTime() - 120 * minuteMs).toUTCString());
  at.channel.push(at.message('hello'));
  const next = at.next();
  at.run();
  await next;
  expect(at.said).toEqual(['hello']);
});

it('a line that has waited an hour for the farm is not said any more', async () => {
  using at = stage();
  at.setAway(true);
  at.channel.push(at.message('old'));
  let next = at.next();
  at.run();
  await next;
  next = at.next();
  at.clock.advance(61 * minuteMs);
  await next;
  at.setAway(false);
  next = at.next();
  at.incoming.hear(at.message('new'));
  await next;
  expect(at.said).toEqual(['new']);
});

it('waits longer and longer for a farm that cannot be reached', async () => {
  using at = stage();
  at.setAway(true);
  at.channel.push(at.message('hello'));
  const next = at.next();
  at.run();
  await next;
  const askedAfter = async (ms: number) => {
    at.clock.advance(ms);
    await setImmediatePassed();
    return at.asked();
  };
  for (const [times, ms] of [1_000, 2_000, 4_000].entries()) {
    expect(await askedAfter(ms - 1)).toBe(times + 1);
    expect(await askedAfter(1)).toBe(times + 2);
  }
});

it('a line is given up a minute after the game went, and one of the next time it goes not before', async () => {
  using at = stage();
  at.setGameAway();
  const first = at.message('first');
  at.channel.push(first);
  const asked = at.next();
  at.run();
  await asked;
  while (at.marked.length === 0) {
    at.clock.advance(1_000);
    await setImmediatePassed();
  }
  expect(at.clock.now()).toBeGreaterThanOrEqual(minuteMs);
  at.clock.advance(5 * minuteMs);
  const next = at.next();
  at.incoming.hear(at.message('second'));
  await next;
  expect(at.marked).toEqual([first.id]);
  at.setAway(false);
  while (at.said.length === 0) {
    at.clock.advance(1_000);
    await setImmediatePassed();
  }
  expect(at.said).toEqual(['second']);
});

it('a game that is known to be away holds up no line for longer than one request takes', async () => {
  using at = stage();
  at.setGameAway();
  at.channel.push(at.message('first'));
  at.run();
  while (at.marked.length === 0) {
    at.clock.advance(1_000);
    await setImmediatePassed();
  }
  expect(at.clock.now()).toBeLessThan(1.5 * minuteMs);
  const before = at.patience.length;
  const lines = Array.from({ length: 10 }, (_, index) => at.message(`line ${index}`, 10 - index));
  for (const line of lines) at.incoming.hear(line);
  while (at.patience.length < before + lines.length) await setImmediatePassed();
  await setImmediatePassed();
  expect(at.marked.slice(1)).toEqual(lines.map(({ id }) => id));
  // The client waits no longer than this for what the server says of a game that is away: try again in five seconds.
  expect(at.patience[0]).toBeUndefined();
  for (const timeoutMs of at.patience.slice(1)) expect(timeoutMs).toBeLessThan(5_000);
});

it('after a long absence the channel is read from an hour ago', async () => {
  using at = stage(30 * 24 * 60 * minuteMs);
  at.channel.push(at.message('last week', 7 * 24 * 60 * minuteMs), at.message('now'));
  const next = at.next();
  at.run();
  await next;
  expect(at.said).toEqual(['now']);
  expect(at.readFrom).toEqual([idAt(at.time.nowMs() - 60 * minuteMs)]);
});

it('each time that the channel is read, people are asked for anew how they are called', async () => {
  using at = stage();
  at.run();
  await setImmediatePassed();
  expect([at.readFrom.length, at.forgotten()]).toEqual([1, 1]);
  at.incoming.catchUp();
  await setImmediatePassed();
  expect([at.readFrom.length, at.forgotten()]).toEqual([2, 2]);
});

it('of a flood no more waits here than has room, and all of it is said, once and in order', async () => {
  using at = stage();
  const many = 1_300;
  const first = BigInt(idAt(at.time.nowMs()));
  const flood = Array.from({ length: many }, (_, line) =>
    at.message(`${line}`, 0, String(first + BigInt(line))),
  );
  at.setAway(true);
  at.run();
  await setImmediatePassed();
  for (const each of flood) {
    at.channel.push(each);
    at.incoming.hear(each);
  }
  const tried = at.next();
  await tried;
  at.setAway(false);
  while (at.said.length < many) {
    at.clock.advance(1_000);
    await setImmediatePassed();
  }
  expect(at.said).toEqual(flood.map(({ content }) => content));
  // What had no room was read from the channel once there was some, and not held meanwhile.
  expect(at.readFrom.length).toBeGreaterThan(2);
  expect(at.file.places.discord).toBe(flood.at(-1)?.id);
});

function setImmediatePassed(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
