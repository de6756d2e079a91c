import fc from 'fast-check';
import { expect, it } from 'vitest';
import { timestamp, timestampOf } from './timestamp.ts';

it('is made in the form that it is read in', () => {
  const wallClock = fc.date({
    noInvalidDate: true,
    min: new Date('2000-01-01'),
    max: new Date('2999-12-31'),
  });
  fc.assert(
    fc.property(wallClock, (date) => {
      expect(new Date(timestamp.parse(timestampOf(date)))).toEqual(date);
    }),
  );
});
