import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayAfter, daysInSeason, daysPlayed, firstDay, seasons } from './calendar.ts';

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
