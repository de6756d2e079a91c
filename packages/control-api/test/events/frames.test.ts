import type { StewardEvent } from '@steward/shared/events/event-data';
import { expect, it } from 'vitest';
import { encodeAsEvents, encodeForSockets } from '../../src/chat/chat-frames.ts';
import { type Encode, EventFrames, EventTexts } from '../../src/events/event-frames.ts';
import { encodeForStreams } from '../../src/events/event-streams.ts';

const event: StewardEvent = {
  type: 'chat.said',
  data: { playerId: '1', playerName: 'Bö', message: 'hello' },
};

it.each<[string, Encode]>([
  ['streams', encodeForStreams],
  ['the chat', encodeForSockets],
  ['bots that subscribe', encodeAsEvents],
])('what is kept of an event for %s keeps no memory but its own', (_, encode) => {
  const logged = { cursor: 'a-1', number: 1, at: new Date(0), event };
  const frames = new EventFrames(new EventTexts(''), encode);
  const frame = frames.of(logged, false);
  expect(frame.toString()).toContain('Bö');
  expect(frame.buffer.byteLength).toBe(frame.length);
  expect(frames.of(logged, false)).toBe(frame);
});

const told = Array.from({ length: 1_001 }, (_, index) => {
  const number = index + 1;
  return { cursor: `a-${number}`, number, at: new Date(0), event };
});

it('are kept of the newest thousand alone, and made anew of what is older', () => {
  const frames = new EventFrames(new EventTexts(''), encodeForStreams);
  const frameOf = (logged: (typeof told)[number]) => frames.of(logged, false);
  const made = told.map(frameOf);
  const isSame = (logged: (typeof told)[number], index: number) => frameOf(logged) === made[index];
  expect(told.slice(1).every((logged, index) => isSame(logged, index + 1))).toBe(true);
  expect(told.slice(0, 1).map(isSame)).toEqual([false]);
  expect(told.slice(0, 1).map(frameOf)).toEqual(made.slice(0, 1));
});

it('are kept of what the log keeps alone: of what is no more than told there may be any number under one', () => {
  const frames = new EventFrames(new EventTexts(''), encodeForStreams);
  const [first] = told;
  const news: StewardEvent = { type: 'state.changed', data: { reads: [] } };
  const changed = () => ({ cursor: 'a-1', number: 1, at: new Date(0), event: news });
  const one = changed();
  const [kept, live] = [first && frames.of(first, false), frames.of(one, false)];
  for (let more = 0; more < 1_000; more += 1) frames.of(changed(), false);
  expect(first && frames.of(first, false)).toBe(kept);
  expect(frames.of(one, false)).not.toBe(live);
});

it('are no more than a thousand, however often the same events are read from the disk', () => {
  const frames = new EventFrames(new EventTexts(''), encodeForStreams);
  const copies = Array.from({ length: 1_001 }, () => ({ cursor: 'a-1', number: 1, at: new Date(0), event }));
  const made = copies.map((copy) => frames.of(copy, false));
  expect(copies.slice(0, 1).map((copy) => frames.of(copy, false) === made[0])).toEqual([false]);
});

it('are let go once a thousand events have happened since, however few were asked for', () => {
  const frames = new EventFrames(new EventTexts(''), encodeForStreams);
  const data = { playerId: '1', playerName: 'Bö', door: 'direct-ip', connectionId: 'L_1' } as const;
  const joined = {
    cursor: 'a-1',
    number: 1,
    at: new Date(0),
    event: { type: 'players.joined', data } as const,
  };
  const first = frames.of(joined, true);
  expect(frames.of(joined, true)).toBe(first);
  for (const logged of told.slice(-1)) frames.of(logged, false);
  expect(frames.of(joined, true)).not.toBe(first);
  expect(frames.of(joined, true)).toEqual(first);
});
