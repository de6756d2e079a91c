import { collector } from '@steward/service-kit/process/collector';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventLog, eventLogLimits, parseCursor } from '../../src/game/state/event-log.ts';

const now = () => new Date(0);

function cursorOf(text: string) {
  const parsed = parseCursor(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

it('gives every reader every event once and in order, or says how many it has missed', () => {
  const script = fc.array(fc.constantFrom('append', 'append', 'read 0', 'read 1'), { maxLength: 80 });
  fc.assert(
    fc.property(script, fc.integer({ min: 1, max: 10 }), (steps, events) => {
      const log = new EventLog<{ n: number }>('e1', now, { events, bytes: 1_000 });
      const readers = [
        { cursor: log.head, next: 1 },
        { cursor: log.head, next: 1 },
      ];
      let written = 0;
      for (const step of steps) {
        if (step === 'append') {
          written += 1;
          log.append({ n: written });
          continue;
        }
        const reader = readers[step === 'read 0' ? 0 : 1];
        if (reader === undefined) continue;
        const { events: came, gap, missed = 0 } = log.after(cursorOf(reader.cursor));
        expect(gap).toBe(missed > 0);
        expect(missed + came.length).toBe(written + 1 - reader.next);
        expect(came.map(({ event }) => event.n)).toEqual(
          Array.from({ length: came.length }, (_, index) => reader.next + missed + index),
        );
        reader.next = written + 1;
        reader.cursor = log.head;
      }
    }),
  );
});

it('calls another epoch, and a place that has not been reached, a gap', () => {
  const log = new EventLog<{ n: number }>('e1', now);
  log.append({ n: 1 });
  for (const cursor of ['e0-1', 'e1-2']) {
    const reading = log.after(cursorOf(cursor));
    expect(reading).toMatchObject({ gap: true });
    expect(reading.events).toHaveLength(1);
    expect(reading).not.toHaveProperty('missed');
  }
  expect(log.after(cursorOf('e1-1'))).toEqual({ events: [], gap: false, missed: 0 });
});

it('holds no more bytes than its limit, but always the newest', () => {
  const log = new EventLog<{ text: string }>('e1', now, { events: 100, bytes: 50 });
  for (const text of ['a'.repeat(30), 'b'.repeat(30), 'c'.repeat(80)]) log.append({ text });
  expect(log.after(cursorOf('e1-0'))).toMatchObject({ missed: 2, events: [{ cursor: 'e1-3' }] });
});

it.each(['', 'e1', 'e1-', 'e1-01', 'E1-1', 'e1--1', 'e1-1 ', `e1-${'9'.repeat(20)}`])(
  'does not take %o for a cursor',
  (text) => {
    expect(parseCursor(text).ok).toBe(false);
  },
);

it('lets go of what it holds no more, soon after its limit is reached', async () => {
  const collect = collector();
  const log = new EventLog<{ n: number }>('e1', now);
  const append = (count: number, from: number) =>
    Array.from({ length: count }, (_, index) => new WeakRef(log.append({ n: from + index })));
  const first = append(100, 0);
  append(eventLogLimits.events + 2_000, 100);
  // What a WeakRef was made of lives until the turn has ended.
  await new Promise((done) => setImmediate(done));
  collect();
  expect(first.filter((each) => each.deref() !== undefined)).toEqual([]);
});
