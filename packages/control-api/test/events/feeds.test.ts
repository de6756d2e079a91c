import { topicNames } from '@steward/shared/events/event-types';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { choiceOf } from '../../src/events/choice.ts';
import { EventFrames, EventTexts } from '../../src/events/event-frames.ts';
import { Feeds, type Listener } from '../../src/events/feeds.ts';
import { owner } from '../../src/keys/caller.ts';
import { memoryEvents } from '../game/stage/memory-events.ts';
import { dayStarted, joined, said } from './stage/stream-stage.ts';

const reader = { name: 'reader', keyId: 'r', scopes: new Set(['read'] as const) };

function stage() {
  const events = memoryEvents(new ManualClock());
  const following = new Set<unknown>();
  const live = {
    follow(listener: unknown) {
      following.add(listener);
      return () => following.delete(listener);
    },
  };
  let encoded = 0;
  const frames = new EventFrames(new EventTexts(''), ({ event }, text) => {
    encoded += 1;
    return Buffer.from(`${event.type} ${text().includes('connectionId')};`);
  });
  const feeds = new Feeds({ events, live, frames, limits: { gatherMs: 2, gatherBytes: 65_536 } });
  const listener = (takes = true): Listener & { readonly writes: Buffer[] } => ({
    writes: [],
    deliver(written) {
      this.writes.push(written);
      return takes;
    },
  });
  return { events, feeds, listener, encodedTimes: () => encoded, following };
}

it('makes what it writes once for all who hear the same, and once more for who sees identities', () => {
  const { events, feeds, listener, encodedTimes } = stage();
  const listeners = [reader, reader, owner, owner].map((caller) => {
    const one = listener();
    feeds.join(choiceOf(caller, topicNames), one);
    return one;
  });
  events.append(dayStarted(1));
  events.append(joined);
  events.append(said('!login hunter2'));
  // On a busy machine the first write takes so long that the others wait.
  feeds.flush();
  expect([feeds.size, encodedTimes()]).toEqual([2, 3]);
  expect(listeners.map(({ writes }) => writes.join(''))).toEqual([
    'farm.dayStarted false;players.joined false;',
    'farm.dayStarted false;players.joined false;',
    'farm.dayStarted false;players.joined true;',
    'farm.dayStarted false;players.joined true;',
  ]);
  expect(listeners[0]?.writes[0]).toBe(listeners[1]?.writes[0]);
});

it('has one feed for the chat alone, whoever hears it, in whatever order topics are named', () => {
  const { feeds, listener } = stage();
  for (const caller of [reader, owner]) feeds.join(choiceOf(caller, ['chat']), listener());
  expect(feeds.size).toBe(1);
  for (const named of [
    ['farm', 'chat'],
    ['chat', 'farm', 'chat'],
  ] as const)
    feeds.join(choiceOf(reader, named), listener());
  expect([feeds.size, feeds.listeners]).toEqual([2, 4]);
});

it('follows what is only told now for as long as there is a feed that has it', () => {
  const { feeds, listener, following } = stage();
  feeds.join(choiceOf(reader, ['chat', 'farm']), listener());
  expect(following.size).toBe(0);
  const [one, other] = [listener(), listener()];
  const feed = feeds.join(choiceOf(reader, ['state']), one);
  feeds.join(choiceOf(reader, ['state', 'farm']), other);
  expect(following.size).toBe(2);
  feed.leave(one);
  expect(following.size).toBe(1);
  feeds.stop();
  expect(following.size).toBe(0);
});

it('ends a feed with its last listener, and counts what was taken', () => {
  const { events, feeds, listener } = stage();
  const [first, second] = [listener(), listener(false)];
  const feed = feeds.join(choiceOf(reader, ['chat', 'farm']), first);
  feeds.join(choiceOf(reader, ['chat', 'farm']), second);
  events.append(said('good morning'));
  events.append(dayStarted(1));
  feeds.flush();
  expect(feeds.told).toEqual({ events: 2, chatLines: 1 });
  feed.leave(first);
  feed.leave(first);
  expect([feeds.size, feeds.listeners]).toEqual([1, 1]);
  feed.leave(second);
  expect(feeds.size).toBe(0);
  feed.leave(second);
  feeds.join(choiceOf(reader, ['chat', 'farm']), first);
  feed.leave(second);
  expect(feeds.size).toBe(1);
  feeds.stop();
  events.append(dayStarted(2));
  expect(first.writes.join('')).toBe('chat.said false;farm.dayStarted false;');
});

it('lets in who comes as the last other is given up', () => {
  const { events, feeds, listener } = stage();
  const choice = choiceOf(reader, ['farm']);
  const slow: Listener = {
    deliver: () => {
      const began = performance.now();
      // So that the next event waits.
      while (performance.now() - began < 1);
      return true;
    },
  };
  const feed = feeds.join(choice, slow);
  events.append(dayStarted(1));
  events.append(dayStarted(2));
  slow.deliver = () => {
    feed.leave(slow);
    return false;
  };
  const next = listener();
  feeds.join(choice, next);
  events.append(dayStarted(3));
  feeds.stop();
  expect(feeds.listeners).toBe(1);
  expect(next.writes.join('')).toBe('farm.dayStarted false;');
});
