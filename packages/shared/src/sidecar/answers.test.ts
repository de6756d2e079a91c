import { expect, it } from 'vitest';
import { appTicketAnswer } from './app-ticket.ts';
import { sidecarHealth } from './health.ts';

const health = {
  status: 'ok',
  logged_in: false,
  timestamp: '2026-11-21T06:30:00.000Z',
  session: { state: 'no-account', reason: 'no account is configured', remedy: 'run setup' },
};

it('reads a health answer', () => {
  expect(sidecarHealth.parse(health)).toEqual(health);
});

it('drops what a health answer must not say', () => {
  expect(sidecarHealth.parse({ ...health, username: 'ann' })).not.toHaveProperty('username');
});

it.each([['2026-11-21T06:30:00Z'], ['2026-11-21T06:30:00.0000000Z'], ['2026-11-21T06:30:00.000+01:00']])(
  'refuses the timestamp %s, which is not UTC with milliseconds',
  (timestamp) => {
    expect(sidecarHealth.safeParse({ ...health, timestamp }).success).toBe(false);
  },
);

it('reads a ticket with the account as a decimal string', () => {
  const answer = { app_ticket: 'dGlja2V0', platform_id: '76561198000000001' };
  expect(appTicketAnswer.parse(answer)).toEqual(answer);
});

it.each([
  [{ app_ticket: '', platform_id: '76561198000000001' }],
  [{ app_ticket: 'not base64!', platform_id: '76561198000000001' }],
  [{ app_ticket: 'dGlja2V0', platform_id: 7 }],
])('refuses the ticket %j', (answer) => {
  expect(appTicketAnswer.safeParse(answer).success).toBe(false);
});
