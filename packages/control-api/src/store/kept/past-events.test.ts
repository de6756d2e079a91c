import { ManualClock } from '@steward/testing/manual-clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventLogLimits } from '../../game/state/event-log.ts';
import type { EventRow } from '../tables/events.ts';
import { PastEvents } from './past-events.ts';

let clock: ManualClock;
let made: number;
let past: PastEvents<{ readonly says: string }>;

beforeEach(() => {
  clock = new ManualClock();
  made = 0;
  const kind = {
    topicOf: () => 'farm',
    read: (body: unknown) => {
      made += 1;
      return body as { says: string };
    },
  };
  past = new PastEvents({ kind, clock, failed: () => {} });
});

function row(number: number, says = 'x'): EventRow {
  return { number, at: 0, topic: 'farm', body: JSON.stringify({ says }) };
}

describe('an event that is read again', () => {
  it('is made of its row once for all who come back together', () => {
    const first = past.eventOf(row(1), 'e');
    clock.advance(29_000);
    expect(past.eventOf(row(1), 'e')).toBe(first);
    // Whoever began just before the heap was put aside still finds it.
    clock.advance(20_000);
    expect(past.eventOf(row(1), 'e')).toBe(first);
    expect(made).toBe(1);
  });

  it('is not remembered for those who come a minute later', () => {
    past.eventOf(row(1), 'e');
    clock.advance(60_000);
    past.eventOf(row(1), 'e');
    expect(made).toBe(2);
  });

  it('is another of another epoch', () => {
    past.eventOf(row(1), 'e');
    expect(past.eventOf(row(1), 'f')?.cursor).not.toBe(past.eventOf(row(1), 'e')?.cursor);
    expect(made).toBe(2);
  });
});

it.each([
  ['number', eventLogLimits.events, 'x'],
  ['size', 8, 'x'.repeat(eventLogLimits.bytes / 8 - 12)],
])('of many, as many are remembered as anybody is told at once, by %s', (_what, most, says) => {
  for (let number = 1; number <= 2 * most; number += 1) past.eventOf(row(number, says), 'e');
  past.eventOf(row(1, says), 'e');
  expect(made).toBe(2 * most);
  past.eventOf(row(2 * most + 1, says), 'e');
  past.eventOf(row(2, says), 'e');
  expect(made).toBe(2 * most + 2);
});
