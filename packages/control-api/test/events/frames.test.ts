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
