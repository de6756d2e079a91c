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
