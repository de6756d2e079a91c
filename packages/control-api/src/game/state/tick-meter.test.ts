import { describe, expect, it } from 'vitest';
import { TickMeter } from './tick-meter.ts';

const slowMs = 2_000;

describe('TickMeter', () => {
  it('says nothing of a game that has not ticked, and no pace before it has ticked twice', () => {
    const meter = new TickMeter(slowMs);
    expect(meter.take(5)).toBeUndefined();
    meter.heard(324_000, 10);
    expect(meter.take(10)).toEqual({ longestGapMs: 0 });
  });

  it('counts exactly, whenever in a second it is asked', () => {
    const meter = new TickMeter(slowMs);
    meter.heard(1_000, 0);
    for (let second = 1; second <= 60; second += 1) meter.heard(1_000 + second * 60, second * 1_000);
    expect(meter.take(60_900)).toEqual({ perSecond: 60, longestGapMs: 1_000 });
    meter.heard(4_630, 61_000);
    expect(meter.take(61_000)).toEqual({ perSecond: 30, longestGapMs: 1_000 });
  });

  it('has a game that stands still tick more slowly, and not at all in the end', () => {
    const meter = new TickMeter(slowMs);
    meter.heard(0, 0);
    meter.heard(600, 10_000);
    expect(meter.take(20_000)).toEqual({ perSecond: 30, longestGapMs: 10_000 });
    expect(meter.take(80_000)).toEqual({ perSecond: 0, longestGapMs: 70_000 });
    meter.heard(660, 81_000);
    expect(meter.take(82_000)).toEqual({ perSecond: 60, longestGapMs: 71_000 });
  });

  it('has the longest that the game took to come to what was asked of it, where something was', () => {
    const meter = new TickMeter(slowMs);
    meter.heard(60, 0);
    meter.cameTo(30);
    meter.cameTo(7);
    expect(meter.take(0)).toEqual({ longestGapMs: 0, bridgeLatencyMs: 30 });
    expect(meter.take(0)).toEqual({ longestGapMs: 0 });
  });

  it('takes the same count for no tick, and a smaller one for another game', () => {
    const meter = new TickMeter(slowMs);
    meter.heard(900, 0);
    meter.heard(900, 1_000);
    meter.heard(6, 1_500);
    meter.heard(66, 2_500);
    expect(meter.take(2_500)).toEqual({ perSecond: 60, longestGapMs: 1_000 });
  });
});
