import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { DiscordTime } from './snowflakes.ts';

it('the time at Discord goes on from its last answer, whoever sets the clock of this machine', () => {
  const clock = new ManualClock();
  const time = new DiscordTime(clock);
  expect(time.nowMs()).toBe(clock.date().getTime());
  const heard = clock.date().getTime() + 3 * 3_600_000;
  time.heard(new Date(heard).toUTCString());
  clock.advance(1_500);
  for (const byMs of [3 * 3_600_000, -24 * 3_600_000]) {
    clock.setWallClock(byMs);
    expect(time.nowMs()).toBe(heard + 1_500);
  }
  time.heard('no date');
  expect(time.nowMs()).toBe(heard + 1_500);
});
