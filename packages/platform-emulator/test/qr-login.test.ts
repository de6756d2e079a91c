import { once } from 'node:events';
import { type EAuthTokenPlatformType, LoginApprover } from 'steam-session';
import { expect, it } from 'vitest';
import type { Platform } from '../src/running-platform.ts';
import { browserKind, clientKind, loginSession, mobileKind, outcomeOf } from './clients/login-session.ts';
import { steamUser } from './clients/steam-user.ts';
import { testPlatform } from './clients/test-platform.ts';

/** The account's device, as steam-session emulates it: it scans QR codes and says yes or no. */
async function device(platform: Platform, accountName: string): Promise<LoginApprover> {
  const session = loginSession(platform, mobileKind);
  const outcome = outcomeOf(session);
  await session.startWithCredentials({ accountName, password: 'pw' });
  await outcome;
  const { deviceSecret } = platform.accounts.get(accountName);
  return new LoginApprover(session.accessToken, deviceSecret, { httpProxy: platform.proxyUrl });
}

async function startQr(platform: Platform, kind: EAuthTokenPlatformType = clientKind) {
  const session = loginSession(platform, kind);
  const outcome = outcomeOf(session);
  const { qrChallengeUrl = '' } = await session.startWithQR();
  return { session, outcome, qrChallengeUrl };
}

it.each([clientKind, browserKind])('logs in by a scanned code (kind %i)', async (kind) => {
  const platform = await testPlatform();
  const { session, outcome, qrChallengeUrl } = await startQr(platform, kind);
  expect(qrChallengeUrl).toMatch(/^https:\/\/s\.team\/q\/1\/\d+$/);
  const approver = await device(platform, 'guest');
  const info = await approver.getAuthSessionInfo(qrChallengeUrl);
  expect(info.ip).toBe('127.0.0.1');
  await approver.approveAuthSession({ qrChallengeUrl, approve: true });
  expect(await outcome).toBe('authenticated');
  expect(session.accountName).toBe('guest');
});

it('is denied by the device', async () => {
  const platform = await testPlatform();
  const { outcome, qrChallengeUrl } = await startQr(platform);
  const approver = await device(platform, 'guest');
  await approver.approveAuthSession({ qrChallengeUrl, approve: false });
  expect(await outcome).toBe(9);
});

it('refuses a confirmation that the account’s own device has not signed', async () => {
  const platform = await testPlatform();
  const { qrChallengeUrl } = await startQr(platform);
  const { accessToken } = await device(platform, 'guest');
  const { deviceSecret } = platform.accounts.get('host');
  const forger = new LoginApprover(accessToken, deviceSecret, { httpProxy: platform.proxyUrl });
  await expect(forger.approveAuthSession({ qrChallengeUrl, approve: true })).rejects.toMatchObject({
    eresult: 15,
  });
});

it('rotates its code, tells the new one once, and accepts only that one', async () => {
  const platform = await testPlatform();
  const { session, outcome, qrChallengeUrl } = await startQr(platform);
  const rotated = new Promise<string>((resolve) => {
    session.on('debug', (tag: unknown, answer: { newChallengeUrl?: string }) => {
      if (tag === 'poll response' && answer.newChallengeUrl) resolve(answer.newChallengeUrl);
    });
  });
  expect(platform.rotateQr()).toBe(1);
  const fresh = await rotated;
  expect(fresh).not.toBe(qrChallengeUrl);
  const approver = await device(platform, 'host');
  await expect(approver.getAuthSessionInfo(qrChallengeUrl)).rejects.toMatchObject({ eresult: 9 });
  await approver.approveAuthSession({ qrChallengeUrl: fresh, approve: true });
  expect(await outcome).toBe('authenticated');
});

it('gives a token that logs the client on', async () => {
  const platform = await testPlatform();
  const { session, outcome } = await startQr(platform);
  platform.approve('host');
  expect(await outcome).toBe('authenticated');
  const client = steamUser(platform);
  client.logOn({ refreshToken: session.refreshToken });
  await once(client, 'loggedOn');
});

it('lets the client time out when nobody scans', async () => {
  const platform = await testPlatform();
  const session = loginSession(platform);
  session.loginTimeout = 60;
  const outcome = outcomeOf(session);
  await session.startWithQR();
  expect(await outcome).toBe('timeout');
});
