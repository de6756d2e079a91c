import { expect, it } from 'vitest';
import { downloadAnswer, gameMarkerName } from './download.ts';
import { heardHealth, sidecarHealth } from './health.ts';
import { appTicketAnswer, heardLobby, lobbyAnswer, lobbyRequest } from './platform.ts';

const health = {
  status: 'ok',
  logged_in: false,
  timestamp: '2026-11-21T06:30:00.000Z',
  session: {
    state: 'no-account',
    reason: 'no account is configured',
    remedy: 'run setup',
    since: '2026-11-21T06:29:00.000Z',
  },
};

it('reads a health answer', () => {
  expect(sidecarHealth.parse(health)).toEqual(health);
});

it('hears from a newer sidecar what it does not know as what is most like it', () => {
  const { session } = health;
  const newer = {
    ...health,
    session: { ...session, state: 'dreaming' },
    game_update: { state: 'withdrawn', since: session.since },
  };
  expect(heardHealth.parse(newer)).toEqual({
    ...health,
    session: { ...session, state: 'retrying' },
    game_update: { state: 'unknown', since: session.since },
  });
  expect(heardHealth.parse(health)).toEqual(health);
  for (const state of [undefined, 7, null])
    expect(heardHealth.safeParse({ ...health, session: { ...session, state } }).success).toBe(false);
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

it('reads a request for a lobby, in which everything is optional', () => {
  expect(lobbyRequest.parse({})).toEqual({});
  const request = {
    game_server_id: '90071992547409921',
    visibility: 'friends-only',
    metadata: { farm: 'Hill' },
  };
  expect(lobbyRequest.parse(request)).toEqual(request);
});

const entries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, '']));

it.each([
  [{ max_members: 0 }],
  [{ game_server_id: 90 }],
  [{ visibility: 'hidden' }],
  [{ metadata: { 'a\0b': '' } }],
  [{ metadata: { '': 'x' } }],
  [{ metadata: entries(101) }],
  [{ unknown: true }],
])('refuses the lobby request %j', (request) => {
  expect(lobbyRequest.safeParse(request).success).toBe(false);
});

it('reads what became of a lobby, which is public or no answer', () => {
  const answer = {
    state: 'open',
    lobby_id: '109775240917155841',
    visibility: 'public',
    max_members: 4,
    metadata: {},
    created: 1,
    since: '2026-11-21T06:29:00.000Z',
  };
  expect(lobbyAnswer.parse(answer)).toEqual(answer);
  expect(lobbyAnswer.safeParse({ ...answer, visibility: 'private' }).success).toBe(false);
  expect(heardLobby.parse({ ...answer, state: 'lent' })).toEqual({ ...answer, state: 'lost' });
});

const since = '2026-11-21T06:30:00.000Z';

it('reads how a download is getting on, with the few members that every state has', () => {
  expect(downloadAnswer.parse({ state: 'missing', since })).toEqual({ state: 'missing', since });
  const progress = {
    stage: 'fetching',
    bytes_done: 5,
    bytes_total: 10,
    bytes_per_second: 1,
    bytes_fetched: 5,
  };
  expect(downloadAnswer.parse({ state: 'downloading', since, progress }).progress).toEqual(progress);
});

it.each([
  [{ state: 'paused', since }],
  [{ state: 'whole' }],
  [{ state: 'downloading', since, progress: { stage: 'fetching', bytes_done: -1 } }],
])('refuses the download %j', (answer) => {
  expect(downloadAnswer.safeParse(answer).success).toBe(false);
});

it('knows the marker by the name that the existing game container waits for', () => {
  expect(gameMarkerName).toBe('.download-manifest-413150');
});
