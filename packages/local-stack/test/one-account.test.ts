import type { Status } from '@steward/client';
import { count } from '@steward/testing/scale';
import { expect, it } from 'vitest';
import { WholeWay } from './whole-way/whole-way.ts';

const withinMs = 2 * 60_000;
/** At the long count the sidecars' minutes are those of the wall. Any faster, and on a busy machine no answer of the platform is in time. */
const speed = String(count({ small: 10, long: 1 }));

const contended = ({ obstacles }: Status) => obstacles.find(({ code }) => code === 'account-contended');

it('two farms on one account both say so in `/status` within two minutes, with what mends it', {
  timeout: 3 * withinMs,
}, async () => {
  await using one = await WholeWay.start({ machine: 'one', speed });
  const first = await one.statusWhere(({ steamInviteCode }) => steamInviteCode !== undefined, withinMs);
  expect(contended(first)).toBeUndefined();
  // The platform gives an account one ticket a minute.
  one.platform.liftTicketCooldown();
  await using other = await WholeWay.start({ machine: 'other', speed, platform: one.platform });
  const told = (way: WholeWay) => way.statusWhere((status) => contended(status) !== undefined, withinMs);
  for (const status of await Promise.all([told(one), told(other)])) {
    expect(contended(status)).toMatchObject({
      reason: expect.stringMatching(/^Another program uses the platform account.*its lobby was taken over/),
      remedy: expect.stringMatching(/^Use one account per farm/),
    });
  }
});
