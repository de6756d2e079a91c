import { startPlatform } from '@steward/platform-emulator/platform';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { trust } from '@steward/platform-emulator/trust';
import { Secret } from '@steward/service-kit/secret';
import { appTicketAnswer } from '@steward/shared/sidecar/platform';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionStore } from '../src/tokens/session-store.ts';
import { LocalSidecar } from './world/local-sidecar.ts';

const gameApp = 413_150;
const path = '/platform/app-ticket';
const ticketRequest = { path: 'ClientRequestEncryptedAppTicket' };

let platform: Platform;
let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(async () => {
  directory = temporaryDirectory();
  platform = await startPlatform({
    accounts: [
      { name: 'ann', password: 'x', owns: [gameApp] },
      { name: 'bob', password: 'x' },
    ],
  });
  trust(platform);
});
afterEach(async () => {
  await platform.close();
  directory[Symbol.dispose]();
});

async function loggedIn(account: string, clock = new ManualClock(new Date())): Promise<LocalSidecar> {
  const token = platform.refreshToken(account);
  const sidecar = await LocalSidecar.start({ platform, directory: directory.path, token, clock });
  await sidecar.until('logged-in');
  return sidecar;
}

it('serves 200 callers at once with one platform request', async () => {
  await using sidecar = await loggedIn('ann');
  const answers = await Promise.all(Array.from({ length: 200 }, () => sidecar.get(path)));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(platform.record.count(ticketRequest)).toBe(1);
  expect(appTicketAnswer.parse(answers[0]?.json())).toMatchObject({
    platform_id: platform.accounts.get('ann').steamId,
  });
});

it('gives a ticket for ten minutes, over a lost session too, and then asks for a new one', async () => {
  const clock = new ManualClock(new Date());
  await using sidecar = await loggedIn('ann', clock);
  const first = (await sidecar.get(path)).json().app_ticket;
  platform.kick('ann', 20);
  await sidecar.until('retrying');
  clock.advance(60_000);
  await sidecar.until('logged-in');
  clock.advance(8 * 60_000);
  expect((await sidecar.get(path)).json().app_ticket).toBe(first);
  clock.advance(2 * 60_000);
  platform.liftTicketCooldown();
  expect((await sidecar.get(path)).json().app_ticket).not.toBe(first);
  expect(platform.record.count(ticketRequest)).toBe(2);
});

describe('while the session is away', () => {
  it.each([
    [20, 'retrying'],
    [34, 'replaced'],
    [84, 'rate-limited'],
  ] as const)('(%i) gives the ticket that is still good, and none that is not', async (code, state) => {
    const clock = new ManualClock(new Date());
    await using sidecar = await loggedIn('ann', clock);
    const first = (await sidecar.get(path)).json().app_ticket;
    platform.faults.add({ when: { path: 'ClientLogon' }, fault: { eresult: code } });
    platform.kick('ann', code);
    await sidecar.until(state);
    const answer = await sidecar.get(path);
    expect(answer.statusCode).toBe(200);
    expect(answer.json().app_ticket).toBe(first);
    expect(answer.headers['cache-control']).toBe('no-store');
    clock.advance(10 * 60_000);
    expect((await sidecar.get(path)).statusCode).toBe(503);
    expect(platform.record.count(ticketRequest)).toBe(1);
  });

  it('gives none on the word of a credential that was refused', async () => {
    await using sidecar = await loggedIn('ann');
    expect((await sidecar.get(path)).statusCode).toBe(200);
    platform.revokeAll('ann');
    platform.kick('ann', 15);
    await sidecar.until('credentials-refused');
    expect((await sidecar.get(path)).statusCode).toBe(503);
  });

  it('gives none on the word of a token that another has replaced', async () => {
    const world = new SessionStore({
      directory: directory.path,
      clock: { date: () => new Date() },
      report: () => {},
    });
    const save = () => world.save({ username: 'ann', token: new Secret(platform.refreshToken('ann')) });
    await save();
    const clock = new ManualClock(new Date());
    await using sidecar = await LocalSidecar.start({ platform, directory: directory.path, clock });
    await sidecar.until('logged-in');
    expect((await sidecar.get(path)).statusCode).toBe(200);
    platform.faults.add({ when: { path: 'ClientLogon' }, fault: { eresult: 84 } });
    platform.kick('ann', 84);
    const { since } = await sidecar.until('rate-limited');
    await save();
    clock.advance(5_000);
    await sidecar.statusWhere((status) => status.state === 'rate-limited' && status.since !== since);
    expect((await sidecar.get(path)).statusCode).toBe(503);
  });
});

it('is never kept by anybody on the way', async () => {
  await using sidecar = await loggedIn('ann');
  expect((await sidecar.get(path)).headers['cache-control']).toBe('no-store');
  platform.kick('ann', 34);
  await sidecar.until('replaced');
  expect((await sidecar.get(path)).headers['cache-control']).toBe('no-store');
});

describe('without a ticket', () => {
  it('says 403 for an account that lacks the game, and does not ask again at once', async () => {
    await using sidecar = await loggedIn('bob');
    for (const answer of [await sidecar.get(path), await sidecar.get(path)]) {
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toMatchObject({
        code: 'not-owned',
        remedy: expect.stringContaining('Buy the game'),
      });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(platform.record.count(ticketRequest)).toBe(1);
  });

  it('says 503 with the reason and the command that fixes it when nobody is logged in', async () => {
    await using sidecar = await LocalSidecar.start({ platform, directory: directory.path });
    const answer = await sidecar.get(path);
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(answer.json()).toMatchObject({
      code: 'platform-unavailable',
      state: 'no-account',
      remedy: expect.stringContaining('platform-auth login'),
    });
  });

  it('says 503 and when it tries again by itself while the session is away', async () => {
    await using sidecar = await loggedIn('ann', new ManualClock(new Date()));
    platform.kick('ann', 84);
    await sidecar.until('rate-limited');
    const answer = await sidecar.get(path);
    expect(answer.statusCode).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(30 * 60);
    expect(answer.json().next_retry).toMatch(/Z$/);
  });

  it('says when it tries again by the clock as it is, where that was set meanwhile', async () => {
    const clock = new ManualClock(new Date());
    await using sidecar = await loggedIn('ann', clock);
    platform.kick('ann', 84);
    const { next_retry: before = '' } = await sidecar.until('rate-limited');
    const { headers } = await sidecar.get(path);
    const byMs = 5 * 60 * 60_000;
    clock.setWallClock(byMs);
    const answer = await sidecar.get(path);
    expect(Date.parse(answer.json().next_retry) - Date.parse(before)).toBe(byMs);
    expect(answer.headers['retry-after']).toBe(headers['retry-after']);
  });

  it('says 503 when the platform refuses one for now, and leaves it in peace for a minute', async () => {
    const clock = new ManualClock(new Date());
    await using sidecar = await loggedIn('ann', clock);
    const remove = platform.faults.add({ when: ticketRequest, fault: { eresult: 25 } });
    expect((await sidecar.get(path)).statusCode).toBe(503);
    remove();
    const again = await sidecar.get(path);
    expect(again.statusCode).toBe(503);
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(50);
    clock.advance(61_000);
    expect((await sidecar.get(path)).statusCode).toBe(200);
  });
});

describe('in the metrics', () => {
  const counted = async (sidecar: LocalSidecar, metric: string) => {
    const { body } = await sidecar.get('/metrics');
    return body.split('\n').filter((line) => line.startsWith(`steward_platform_${metric}{`));
  };

  it.each([
    [path, 503],
    ['/steam/app-ticket', 500],
  ])('a request at %s without a session counts as refused', async (url, status) => {
    await using sidecar = await LocalSidecar.start({
      platform,
      directory: directory.path,
      compat: 'existing',
    });
    expect((await sidecar.get(url)).statusCode).toBe(status);
    expect(await counted(sidecar, 'ticket_requests_total')).toContain(
      'steward_platform_ticket_requests_total{outcome="refused"} 1',
    );
  });

  it('each outcome and each class of failure is there before the first of its kind', async () => {
    await using sidecar = await LocalSidecar.start({ platform, directory: directory.path });
    expect(await counted(sidecar, 'ticket_requests_total')).toEqual([
      'steward_platform_ticket_requests_total{outcome="fresh"} 0',
      'steward_platform_ticket_requests_total{outcome="cached"} 0',
      'steward_platform_ticket_requests_total{outcome="refused"} 0',
    ]);
    expect(await counted(sidecar, 'session_failures_total')).toEqual([
      'steward_platform_session_failures_total{class="transient"} 0',
      'steward_platform_session_failures_total{class="rate-limited"} 0',
      'steward_platform_session_failures_total{class="replaced"} 0',
      'steward_platform_session_failures_total{class="dead-credential"} 0',
    ]);
  });
});

it('asks for the secret everywhere but at /health', async () => {
  await using sidecar = await LocalSidecar.start({
    platform,
    directory: directory.path,
    secret: 's3cret-key',
  });
  expect((await sidecar.get('/health')).statusCode).toBe(200);
  for (const url of [path, '/platform/lobby', '/metrics', '/no-such-path', '/health/']) {
    for (const authorization of ['', 'Bearer wrong', 'Basic s3cret-key', 's3cret-key']) {
      const answer = await sidecar.get(url, authorization === '' ? {} : { authorization });
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.body).not.toContain('s3cret-key');
    }
    expect((await sidecar.get(url, { authorization: 'Bearer s3cret-key' })).statusCode).not.toBe(401);
  }
});
