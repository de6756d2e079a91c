import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLater, Snowflakes, timeOf } from './snowflakes.ts';

const moment = fc.date({ min: new Date('2017-01-01'), max: new Date('2080-01-01'), noInvalidDate: true });

it('a later id is bigger, whatever the clock does, and has 17 to 19 digits', () => {
  fc.assert(
    fc.property(fc.array(moment, { minLength: 2 }), (moments) => {
      const clock = moments[Symbol.iterator]();
      const ids = new Snowflakes(() => clock.next().value ?? new Date());
      const made = moments.map(() => ids.next());
      for (const [index, id] of made.entries()) {
        expect(id).toMatch(/^\d{17,19}$/);
        if (index > 0) expect(isLater(id, made[index - 1] ?? '')).toBe(true);
      }
    }),
  );
});

it('an id says when it was made', () => {
  fc.assert(
    fc.property(moment, (made) => {
      expect(timeOf(new Snowflakes(() => made).next())).toEqual(made);
    }),
  );
});
