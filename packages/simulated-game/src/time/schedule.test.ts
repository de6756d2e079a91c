import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Schedule } from './schedule.ts';

it('does everything in the order of its time, and of its asking where times are equal', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 })), (delays) => {
      const schedule = new Schedule();
      const done: { delay: number; asked: number }[] = [];
      for (const [asked, delay] of delays.entries()) schedule.after(delay, () => done.push({ delay, asked }));
      schedule.advance(20);
      const expected = delays.map((delay, asked) => ({ delay, asked }));
      expect(done).toEqual(expected.toSorted((a, b) => a.delay - b.delay || a.asked - b.asked));
    }),
  );
});

it('lets an action ask for more within the same advance', () => {
  const schedule = new Schedule();
  const times: number[] = [];
  const again = () => {
    times.push(schedule.now);
    schedule.after(10, again);
  };
  schedule.after(10, again);
  schedule.advance(35);
  expect(times).toEqual([10, 20, 30]);
  expect(schedule.now).toBe(35);
});

it('forgets what was cancelled, however many', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat({ max: 50 }), fc.boolean())), (entries) => {
      const schedule = new Schedule();
      let kept = 0;
      for (const [delay, cancelled] of entries) {
        const appointment = schedule.after(delay, () => {
          kept += 1;
        });
        if (cancelled) appointment.cancel();
      }
      schedule.advance(50);
      expect(kept).toBe(entries.filter(([, cancelled]) => !cancelled).length);
      expect(schedule.next).toBeUndefined();
    }),
  );
});

it('stands still until it is moved', () => {
  const schedule = new Schedule();
  let done = false;
  schedule.after(0, () => {
    done = true;
  });
  expect([done, schedule.now, schedule.next]).toEqual([false, 0, 0]);
  schedule.advance(0);
  expect(done).toBe(true);
});
