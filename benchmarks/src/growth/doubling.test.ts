import { ManualClock } from '@steward/testing/manual-clock';
import { describe, expect, it } from 'vitest';
import { doubled } from './doubling.ts';

const enough = { number: 1_000, because: 'there are no more' };

function step(number: number, p99Ms = 1) {
  return { number, medianMs: 1, p99Ms, eachUs: 1, memoryMb: 1 };
}

describe('doubling', () => {
  it('ends where a step fails, and says why', async () => {
    const { steps, ...end } = await doubled({
      from: 4,
      most: enough,
      step: async (number) => {
        if (number === 16) throw new Error('the door was shut');
        return step(number);
      },
    });
    expect(steps.map(({ number }) => number)).toEqual([4, 8]);
    expect(end).toEqual({ held: 8, broke: 16, end: 'with 16: the door was shut' });
  });

  it('ends behind the first step that is slow, unless slowness is no breakage', async () => {
    const slow = {
      from: 1,
      most: { number: 4, because: 'so' },
      step: async (number: number) => step(number, 1_001),
    };
    const { steps, ...end } = await doubled(slow);
    expect(steps).toHaveLength(1);
    expect(end).toEqual({ held: 0, broke: 1, end: 'with 1 the p99 is above 1 s' });
    expect(await doubled({ ...slow, isBrokenWhenSlow: false })).toMatchObject({
      steps: [{ number: 1 }, { number: 2 }, { number: 4 }],
      held: 4,
    });
  });

  it('ends where the machine has no more', async () => {
    const { steps, ...end } = await doubled({
      from: 600,
      most: enough,
      step: async (number) => step(number),
    });
    expect(steps).toHaveLength(1);
    expect(end).toEqual({ held: 600, end: 'nothing broke up to 600: there are no more' });
  });

  it('ends when the minute is over', async () => {
    const clock = new ManualClock();
    const { steps, end } = await doubled(
      {
        from: 1,
        most: enough,
        step: async (number) => {
          clock.advance(40_000);
          return step(number);
        },
      },
      clock,
    );
    expect(steps).toHaveLength(2);
    expect(end).toBe('nothing broke up to 2: the minute was over');
  });

  it('waits for no step that never ends', async () => {
    const clock = new ManualClock();
    const second = Promise.withResolvers<void>();
    const never = doubled(
      {
        from: 8,
        most: enough,
        step: async (number) => {
          if (number === 8) return step(number);
          second.resolve();
          return await new Promise<never>(() => {});
        },
      },
      clock,
    );
    await second.promise;
    clock.advance(300_000);
    expect(await never).toMatchObject({
      held: 8,
      broke: 16,
      end: 'with 16: it was not over within 5 minutes',
    });
  });

  it('is none where the first step fails: that is no growth', async () => {
    const step = () => Promise.reject(new Error('nothing listens'));
    await expect(doubled({ from: 8, most: enough, step })).rejects.toThrow('nothing listens');
  });
});
