import { drainLimits } from '@steward/shared/drain';
import { hostileJson } from '@steward/testing/hostile/json';
import { withstand } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drainFormat } from './drain-file.ts';

const order = { when: 'day-end', restart: false, minutes: 30, seconds: 60, message: 'We update the mods' };
const kept = { version: 1, order, operationId: '7', startedAt: '2026-11-21T06:30:00.000Z' };
const mostMs = drainLimits.mostMinutes * 60_000;

it('a hostile note of a drain is none, or keeps nobody out for longer than a request could', {
  timeout: 3_600_000,
}, () => {
  const madeUp = [1e300, -1, Number.MAX_SAFE_INTEGER, drainLimits.mostMinutes + 1].map((minutes) =>
    JSON.stringify({ ...kept, order: { ...order, minutes } }),
  );
  const text = fc.oneof(
    { weight: 4, arbitrary: hostileJson(kept, { ...kept, order: { ...order, minutes: 0 } }) },
    { weight: 1, arbitrary: fc.constantFrom(...madeUp) },
  );
  fc.assert(
    fc.property(text, (given) => {
      const read = withstand(() => drainFormat.read(given));
      if (read.kind !== 'content') {
        expect(read.kind).toMatch(/^(corrupt|newer)$/);
        return;
      }
      const { minutes, seconds } = read.content.order;
      expect(minutes * 60_000).toBeLessThanOrEqual(mostMs);
      expect(seconds).toBeLessThanOrEqual(drainLimits.mostSeconds);
      expect(Date.parse(read.content.startedAt)).not.toBeNaN();
    }),
    { numRuns: count({ small: 300, long: 100_000 }) },
  );
});
