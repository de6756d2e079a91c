import { beforeAll, expect, it } from 'vitest';
import { buildGame, type GameDepots } from '../src/depot/game/build-game.ts';
import type { PlatformOptions } from '../src/platform-options.ts';
import type { Platform } from '../src/running-platform.ts';
import { contentServerList } from '../src/web-api/routes.ts';
import { loggedOn, type SteamUser } from './clients/steam-user.ts';
import { gameApp, testPlatform } from './clients/test-platform.ts';

let first: GameDepots;
let second: GameDepots;

beforeAll(() => {
  first = buildGame({ seed: 'catalogue', bytes: 1_000_000, format: 'zip' });
  second = buildGame({ seed: 'catalogue', bytes: 1_000_000, format: 'zip', version: 2 });
});

function game() {
  return { appId: gameApp, name: 'Farm Game', depots: Object.values(first).map((depot) => ({ depot })) };
}

function gamePlatform(options: Partial<PlatformOptions> = {}): Promise<Platform> {
  return testPlatform({ apps: [game()], ...options });
}

async function depotsOf(client: SteamUser) {
  const { apps } = await client.getProductInfo([gameApp], [], true);
  return apps[gameApp]?.appinfo.depots ?? {};
}

it('lists every depot with its systems, architecture and language; the common one has none', async () => {
  const platform = await gamePlatform();
  const client = await loggedOn(platform, 'host');
  const { apps, unknownApps } = await client.getProductInfo([gameApp, 570], [], true);
  expect(unknownApps).toEqual([570]);
  const info = apps[gameApp]?.appinfo;
  expect(info?.common.name).toBe('Farm Game');
  const configs = Object.fromEntries(
    Object.values(first).map(({ depotId }) => [depotId, info?.depots[depotId]?.config]),
  );
  expect(configs).toEqual({
    [first.windows.depotId]: { oslist: 'windows' },
    [first.linux.depotId]: { oslist: 'linux' },
    [first.linux32.depotId]: { oslist: 'linux', osarch: '32' },
    [first.common.depotId]: undefined,
    [first.desktop.depotId]: { oslist: 'windows,linux', osarch: '64' },
    [first.german.depotId]: { language: 'german' },
  });
  expect(info?.depots[first.linux.depotId]?.manifests['public']).toEqual({
    gid: first.linux.manifestId,
    size: String(first.linux.sizeOnDisk),
    download: String(first.linux.sizeToDownload),
  });
});

it('says what a licence’s package opens', async () => {
  const platform = await gamePlatform();
  const client = await loggedOn(platform, 'host');
  const packageId = 1_000_000 + gameApp;
  const { packages, unknownPackages } = await client.getProductInfo([], [packageId, 5], true);
  expect(packages[packageId]?.packageinfo.appids).toEqual([gameApp]);
  expect(packages[packageId]?.packageinfo.depotids).toEqual(
    Object.values(first).map(({ depotId }) => depotId),
  );
  expect(unknownPackages).toEqual([5]);
});

it('shows a new version once it is published, and serves the old one too', async () => {
  const platform = await gamePlatform();
  const client = await loggedOn(platform, 'host');
  const kept = { depot: first.linux, branches: ['previous'] };
  platform.publish({ ...game(), depots: [{ depot: second.linux }, kept] });
  const manifests = (await depotsOf(client))[first.linux.depotId]?.manifests;
  expect(manifests?.['public']?.gid).toBe(second.linux.manifestId);
  expect(manifests?.['previous']?.gid).toBe(first.linux.manifestId);
  for (const [branch, { gid }] of Object.entries(manifests ?? {})) {
    const { manifest } = await client.getManifest(gameApp, first.linux.depotId, gid, branch);
    expect(manifest.files.length).toBeGreaterThan(10);
  }
});

it('downloads a file through manifest, key, request code and chunks', async () => {
  const platform = await gamePlatform();
  const client = await loggedOn(platform, 'host');
  const { depotId, manifestId } = first.common;
  const { manifest } = await client.getManifest(gameApp, depotId, manifestId, 'public');
  const [file] = manifest.files.filter(({ filename }) => filename === 'licenses/third-party.txt');
  if (file === undefined) throw new Error('the common depot has no licences');
  const downloaded = await client.downloadFile(gameApp, depotId, file);
  expect(downloaded.file.length).toBe(3000);
  expect(platform.record.bytes({ kind: 'chunk' })).toBeGreaterThan(0);
});

it('gives keys and request codes to owners only', async () => {
  const platform = await gamePlatform();
  const { depotId, manifestId, key } = first.linux;
  const owner = await loggedOn(platform, 'host');
  expect((await owner.getDepotDecryptionKey(gameApp, depotId)).key).toEqual(key);
  const stranger = await loggedOn(platform, 'stranger');
  await expect(stranger.getDepotDecryptionKey(gameApp, depotId)).rejects.toMatchObject({ eresult: 15 });
  const code = stranger.getManifestRequestCode(gameApp, depotId, manifestId, 'public');
  await expect(code).rejects.toMatchObject({ eresult: 15 });
});

it('rotates request codes every five minutes, and takes the one before for five more', async () => {
  let now = 1_800_000_000_000;
  const platform = await gamePlatform({ now: () => now });
  const client = await loggedOn(platform, 'host');
  const { depotId, manifestId } = first.linux;
  const code = async () =>
    (await client.getManifestRequestCode(gameApp, depotId, manifestId, 'public')).requestCode;
  const status = async (requestCode: string) => {
    const { address } = platform.cdn.host('first');
    return (await fetch(`http://${address}/depot/${depotId}/manifest/${manifestId}/5/${requestCode}`)).status;
  };
  const early = await code();
  expect(await code()).toBe(early);
  now += 5 * 60_000;
  const late = await code();
  expect(late).not.toBe(early);
  expect([await status(early), await status(late)]).toEqual([200, 200]);
  now += 5 * 60_000;
  expect([await status(early), await status(late)]).toEqual([401, 200]);
});

it('gives code 0 for a manifest that the depot never had', async () => {
  const platform = await gamePlatform();
  const client = await loggedOn(platform, 'host');
  const { requestCode } = await client.getManifestRequestCode(gameApp, first.linux.depotId, '1', 'public');
  // steam-user shows a zero as nothing.
  expect(requestCode ?? '0').toBe('0');
});

it('lists its content servers with restrictions, and hands out the tokens that some demand', async () => {
  const platform = await gamePlatform({
    contentHosts: [
      { name: 'good' },
      { name: 'other app', allowedAppIds: [570] },
      { name: 'token', demandsToken: true },
    ],
  });
  const client = await loggedOn(platform, 'host');
  const { servers } = await client.getContentServers();
  const addressOf = (name: string) => platform.cdn.host(name).address;
  expect(servers.map(({ Host }) => Host)).toEqual(['good', 'other app', 'token'].map(addressOf));
  expect(servers[1]?.allowed_app_ids).toEqual({ 0: '570' });
  const [chunkId = ''] = first.common.chunkIds;
  const { depotId } = first.common;
  const status = async (name: string, token = '') =>
    (await fetch(`http://${addressOf(name)}/depot/${depotId}/chunk/${chunkId}${token}`)).status;
  const { token, expires } = await client.getCDNAuthToken(gameApp, depotId, addressOf('token'));
  expect(expires.getTime()).toBeGreaterThan(Date.now());
  expect(await status('good')).toBe(200);
  expect(await status('other app')).toBe(403);
  expect([await status('token'), await status('token', `${token}0`), await status('token', token)]).toEqual([
    403, 403, 200,
  ]);
});

it('gives tokens for no host that demands none, and refuses them or keeps silent where a plan says so', async () => {
  const platform = await gamePlatform({
    contentHosts: [
      { name: 'open' },
      { name: 'refused', demandsToken: true, tokens: 'refused' },
      { name: 'unanswered', demandsToken: true, tokens: 'unanswered' },
      { name: 'unannounced', demandsToken: 'unannounced' },
    ],
  });
  const client = await loggedOn(platform, 'host');
  const { depotId, chunkIds } = first.common;
  const token = (name: string) =>
    client.getCDNAuthToken(gameApp, depotId, platform.cdn.host(name).address).then(
      (answer) => answer.token,
      (error: { eresult?: number }) => error.eresult,
    );
  const path = { path: 'ClientGetCDNAuthToken' };
  const fail = 2;
  let answered = false;
  token('unanswered').then(() => {
    answered = true;
  });
  await platform.record.seen(path);
  expect([await token('open'), await token('refused')]).toEqual([fail, fail]);
  expect(answered).toBe(false);
  expect(platform.record.matching(path).map(({ outcome }) => outcome)).toEqual([undefined, fail, fail]);

  expect(contentServerList(platform.cdn.hosts).match(/usetokenauth/g)).toHaveLength(2);
  const { address } = platform.cdn.host('unannounced');
  const chunk = `http://${address}/depot/${depotId}/chunk/${chunkIds[0]}`;
  expect((await fetch(chunk)).status).toBe(403);
  expect((await fetch(`${chunk}${await token('unannounced')}`)).status).toBe(200);
});

it('moves a client from a host that fails to one that does not', async () => {
  // steam-user takes four servers of the list for itself, and the fifth only once one of these has failed.
  const contentHosts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name }));
  const platform = await gamePlatform({ contentHosts });
  const client = await loggedOn(platform, 'host');
  const { depotId, manifestId } = first.common;
  const { manifest } = await client.getManifest(gameApp, depotId, manifestId, 'public');
  platform.faults.add({ when: { kind: 'chunk' }, nth: 1, fault: { status: 503 } });
  const [file] = manifest.files.filter(({ size }) => size === '3000');
  if (file === undefined) throw new Error('the common depot is not as expected');
  const { file: content } = await client.downloadFile(gameApp, depotId, file);
  expect(content.length).toBe(3000);
  expect(platform.record.matching({ kind: 'chunk' }).map(({ outcome }) => outcome)).toEqual([503, 200]);
});
