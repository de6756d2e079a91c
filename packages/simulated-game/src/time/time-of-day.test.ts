import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayBegins, dayEnds, isTimeOfDay, nextStep } from './time-of-day.ts';

it('takes 120 steps from six in the morning to two at night', () => {
  const times = [dayBegins];
  for (let time = dayBegins; time < dayEnds; time = nextStep(time)) times.push(nextStep(time));
  expect(times).toHaveLength(121);
  expect(times.slice(0, 8)).toEqual([600, 610, 620, 630, 640, 650, 700, 710]);
  expect(times.at(-1)).toBe(dayEnds);
});

it('goes on from any time that can be set, always forwards and never past the end', () => {
  fc.assert(
    fc.property(fc.integer({ min: dayBegins, max: dayEnds - 1 }), (time) => {
      const next = nextStep(time);
      expect(isTimeOfDay(next)).toBe(true);
      expect(next).toBeGreaterThan(time);
      expect(next % 10).toBe(0);
      expect(next % 100).toBeLessThan(60);
    }),
  );
});

it('reads a time such as 675 as the quarter past seven that it is', () => {
  expect(nextStep(675)).toBe(720);
});
