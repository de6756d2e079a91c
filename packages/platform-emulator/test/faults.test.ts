import { expect, it } from 'vitest';
import { makeDepot } from '../src/depot/make-depot.ts';
import { edgeStatuses, type Fault } from '../src/faults/fault-plan.ts';
import type { Platform } from '../src/running-platform.ts';
import { browserKind, loginSession } from './clients/login-session.ts';
import { loggedOn, type SteamUser } from './clients/steam-user.ts';
import { gameApp, testPlatform } from './clients/test-platform.ts';

const depot = makeDepot({ depotId: 413153, name: 'game', format: 'zip' }, [
  { kind: 'file', name: 'a.txt', content: Buffer.alloc(4000, 'content ') },
]);

async function withGame(): Promise<{ platform: Platform; client: SteamUser }> {
  const platform = await testPlatform({ apps: [{ appId: gameApp, name: 'Farm Game', depots: [{ depot }] }] });
  return { platform, client: await loggedOn(platform, 'host') };
}

function manifest(client: SteamUser) {
  return client.getManifest(gameApp, depot.depotId, depot.manifestId, 'public');
}

/** What the client makes of a manifest under a fault; the next one, without it, must be right again. */
async function manifestUnder(fault: Fault): Promise<string> {
  const { platform, client } = await withGame();
  const remove = platform.faults.add({ when: { kind: 'manifest' }, fault });
  const message = await manifest(client).then(
    () => 'fine',
    (error: Error) => error.message,
  );
  remove();
  expect((await manifest(client)).manifest.files.map(({ filename }) => filename)).toEqual(['a.txt']);
  return message;
}

it.each(edgeStatuses)('answers a manifest with %i', async (status) => {
  expect(await manifestUnder({ status })).toBe(`HTTP error ${status}`);
});

it.each([{ latencyMs: 30 }, { bytesPerSecond: 2000 }])(
  'delays a manifest (%j) without harm to it',
  async (fault) => {
    expect(await manifestUnder(fault)).toBe('fine');
  },
);

it.each([
  [{ resetAtByte: 0 }, /ECONNRESET|socket hang up/],
  [{ resetAtByte: 100 }, /aborted|ECONNRESET|socket hang up/],
  [{ damage: 'truncated' }, /.+/],
  [{ damage: 'wrong-bytes' }, /.+/],
  [{ damage: 'corrupt' }, /.+/],
] as const)('spoils a manifest (%j), which the client notices', async (fault, message) => {
  const seen = await manifestUnder(fault);
  expect(seen).not.toBe('fine');
  expect(seen).toMatch(message);
});

it('leaves a client waiting on a half-open connection while others are served', async () => {
  const { platform, client } = await withGame();
  platform.faults.add({ when: { kind: 'manifest' }, nth: 1, fault: { stallAtByte: 10 } });
  let settled = false;
  const settle = () => {
    settled = true;
  };
  manifest(client).then(settle, settle);
  const [stalled] = await platform.record.seen({ kind: 'manifest' });
  await manifest(client);
  expect(settled).toBe(false);
  expect(stalled).toMatchObject({ outcome: 200, bytes: 10 });
});

it('fails the web API and its service methods', async () => {
  const platform = await testPlatform();
  const login = () =>
    loginSession(platform, browserKind).startWithCredentials({ accountName: 'host', password: 'pw' });
  platform.faults.add({ when: { path: /GetPasswordRSAPublicKey/ }, nth: 1, fault: { status: 500 } });
  platform.faults.add({ when: { path: /BeginAuthSession/ }, nth: 1, fault: { eresult: 20 } });
  await expect(login()).rejects.toThrow('WebAPI error 500');
  await expect(login()).rejects.toMatchObject({ eresult: 20 });
  expect(await login()).toEqual({ actionRequired: false });
});

it('follows a schedule by the platform’s clock', async () => {
  let now = Date.now();
  const platform = await testPlatform({ now: () => now });
  const client = await loggedOn(platform, 'host');
  platform.faults.add({
    when: { path: 'ClientGetAppOwnershipTicket' },
    during: { fromMs: 1000, untilMs: 2000 },
    fault: { eresult: 20 },
  });
  await client.getAppOwnershipTicket(gameApp);
  now += 1500;
  await expect(client.getAppOwnershipTicket(gameApp)).rejects.toMatchObject({ eresult: 20 });
  now += 1000;
  await client.getAppOwnershipTicket(gameApp);
});
