import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RateWindow } from './limits.ts';

const rates = fc.record({
  limit: fc.integer({ min: 1, max: 10 }),
  windowMs: fc.integer({ min: 1, max: 1_000 }),
});
const pauses = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 100 });

it('what is granted is never more than the limit in a window, and who waits as long as they were told is never refused', () => {
  fc.assert(
    fc.property(rates, pauses, (rate, between) => {
      const window = new RateWindow();
      let now = 0;
      let beganAt = Number.NEGATIVE_INFINITY;
      let granted = 0;
      for (const pause of between) {
        now += pause;
        const { isRefused, remaining, resetAfterMs } = window.take(now, rate);
        if (now >= beganAt + rate.windowMs) [beganAt, granted] = [now, 0];
        if (!isRefused) granted += 1;
        expect(granted).toBeLessThanOrEqual(rate.limit);
        expect({ remaining, resetAfterMs }).toEqual({
          remaining: rate.limit - granted,
          resetAfterMs: beganAt + rate.windowMs - now,
        });
        expect(isRefused).toBe(isRefused && granted === rate.limit);
        expect(window.left(now + resetAfterMs, rate).remaining).toBe(rate.limit);
      }
    }),
  );
});
