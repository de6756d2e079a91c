import { expect, it } from 'vitest';
import { Schedule } from '../time/schedule.ts';
import { Reservations, reservationMs } from './reservations.ts';

function reservations() {
  const schedule = new Schedule();
  return { schedule, reservations: new Reservations(schedule) };
}

it('keeps an offered slot for the one who was shown it, for as long as it says', () => {
  const { schedule, reservations: kept } = reservations();
  kept.offer('slot', 'GN_1');
  schedule.advance(reservationMs - 1);
  expect([kept.isFreeFor('slot', 'GN_1'), kept.isFreeFor('slot', 'GN_2')]).toEqual([true, false]);
  schedule.advance(1);
  expect(kept.isFreeFor('slot', 'GN_2')).toBe(true);
});

it('lets one connection alone wait for a decision, however long it takes', () => {
  const { schedule, reservations: kept } = reservations();
  expect(kept.startDeciding('slot', 'GN_1')).toBe(true);
  schedule.advance(10 * reservationMs);
  expect(kept.startDeciding('slot', 'GN_2')).toBe(false);
  expect(kept.startDeciding('slot', 'GN_1')).toBe(true);
});

it('frees everything that a connection held when it goes', () => {
  const { reservations: kept } = reservations();
  kept.offer('offered', 'GN_1');
  kept.startDeciding('deciding', 'GN_1');
  kept.offer('other', 'GN_2');
  kept.release('GN_1');
  expect(['offered', 'deciding', 'other'].map((slot) => kept.isFreeFor(slot, 'GN_3'))).toEqual([
    true,
    true,
    false,
  ]);
});
