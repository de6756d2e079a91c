import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Attempts } from './limits.ts';

const limit = { attempts: 3, windowMs: 60_000 };

it('lets the limit through in each window and never more, and tells what is left and when the window ends', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20_000), { maxLength: 100 }), (pauses) => {
      let now = 0;
      const attempts = new Attempts(limit, () => now);
      let opened = Number.NEGATIVE_INFINITY;
      let inWindow = 0;
      for (const pause of pauses) {
        now += pause;
        if (now - opened >= limit.windowMs) {
          opened = now;
          inWindow = 0;
        }
        const rest = Math.max(1, Math.ceil((opened + limit.windowMs - now) / 1_000));
        expect(attempts.made('a')).toBe(inWindow);
        expect(attempts.spent('a')).toBe(inWindow < limit.attempts ? undefined : rest);
        inWindow += 1;
        expect(attempts.count('a')).toEqual({
          left: Math.max(0, limit.attempts - inWindow),
          resetSeconds: rest,
          waitSeconds: inWindow <= limit.attempts ? undefined : rest,
        });
      }
    }),
  );
});

it('counts each address for itself', () => {
  const attempts = new Attempts(limit, () => 0);
  for (let i = 0; i < 3; i += 1) attempts.count('a');
  expect(attempts.count('a').waitSeconds).toBe(60);
  expect(attempts.count('b').waitSeconds).toBeUndefined();
});

it('remembers a bounded number of addresses, the newest', () => {
  const attempts = new Attempts({ attempts: 1, windowMs: 60_000 }, () => 0);
  attempts.count('first');
  expect(attempts.count('first').waitSeconds).toBe(60);
  for (let i = 0; i < 10_000; i += 1) attempts.count(`another ${i}`);
  expect(attempts.count('first').waitSeconds).toBeUndefined();
  expect(attempts.count('another 9999').waitSeconds).toBe(60);
});
