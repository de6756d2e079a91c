import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  dayAfter,
  dayBegins,
  dayEnds,
  daysInSeason,
  daysPlayed,
  firstDay,
  isTimeOfDay,
  nextStep,
  seasons,
} from './calendar.ts';

it('counts every day once, through 28 days, four seasons and the years', () => {
  let day = firstDay;
  for (let played = 1; played <= 3 * seasons.length * daysInSeason; played++) {
    expect(daysPlayed(day)).toBe(played);
    expect(day.day).toBeGreaterThanOrEqual(1);
    expect(day.day).toBeLessThanOrEqual(daysInSeason);
    day = dayAfter(day);
  }
  expect(day).toEqual({ day: 1, season: 'spring', year: 4 });
});

it('moves exactly one day on from any day', () => {
  const anyDay = fc.record({
    day: fc.integer({ min: 1, max: daysInSeason }),
    season: fc.constantFrom(...seasons),
    year: fc.integer({ min: 1, max: 500 }),
  });
  fc.assert(
    fc.property(anyDay, (day) => {
      expect(daysPlayed(dayAfter(day))).toBe(daysPlayed(day) + 1);
    }),
  );
});

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
