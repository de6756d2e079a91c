import { Secret } from '@steward/service-kit/secret';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import type { PlatformSession } from '../platform/platform-session.ts';
import { AppTickets } from './app-tickets.ts';

it('says within seven seconds that the platform takes longer, and gives the next caller what it gave', async () => {
  const clock = new ManualClock();
  const outcomes: string[] = [];
  const tickets = new AppTickets({ clock, counted: (outcome) => outcomes.push(outcome) });
  const given = Promise.withResolvers<Buffer>();
  let asked = 0;
  const appTicket = () => {
    asked += 1;
    return given.promise;
  };
  const session = {
    platformId: '76561198000000001',
    appTicket,
  } as Partial<PlatformSession> as PlatformSession;
  const holder = { session, token: new Secret('a token') };
  const first = tickets.ticket(holder);
  clock.advance(7_000);
  await expect(first).rejects.toMatchObject({
    retryAfterMs: 5_000,
    message: expect.stringMatching(/within 7 s/),
  });
  const second = tickets.ticket(holder);
  clock.advance(3_000);
  given.resolve(Buffer.from('ticket'));
  expect(await second).toMatchObject({ source: 'cached', ticket: Buffer.from('ticket') });
  expect([asked, outcomes]).toEqual([1, ['refused', 'cached']]);
});
