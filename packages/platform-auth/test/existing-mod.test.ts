import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CallFailure, SidecarCalls } from '@steward/existing-server-double/hosting/sidecar-calls';
import { ManualClock } from '@steward/testing/manual-clock';
import { describe, expect, it } from 'vitest';
import { Emulated, gameApp } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';
import { SidecarProcess } from './world/sidecar-process.ts';

const publicType = 2;
/** What JavaScript's numbers would round to …184. */
const gameServerId = '90203554190155185';
const secret = 'what-the-mod-cannot-send';

async function hosting(world: Emulated) {
  const { platform, directory } = world;
  const clock = new ManualClock(new Date());
  const sidecar = await LocalSidecar.start({
    platform,
    directory,
    token: platform.refreshToken('ann'),
    clock,
    secret,
    compat: 'existing',
  });
  const origin = await sidecar.sidecar.app.listen({ host: '127.0.0.1', port: 0 });
  const waits: number[] = [];
  // What the mod waits out is the service's time, too.
  const mod = new SidecarCalls(origin, async (ms) => {
    waits.push(ms);
    clock.advance(ms);
  });
  return { sidecar, clock, platform, mod, origin, waits };
}

function holds({ metadata }: { metadata: Buffer }, key: string, value: string): boolean {
  return metadata.includes(Buffer.from(`\u0001${key}\0${value}\0`));
}

describe('a hosting session of the existing mod', () => {
  it('goes from health over the ticket to a Public lobby with the exact id', async () => {
    await using world = await Emulated.start();
    const { sidecar, platform, mod } = await hosting(world);
    await using _ = sidecar;
    await sidecar.until('logged-in');
    expect(JSON.parse(await mod.health())).toMatchObject({
      status: 'ok',
      logged_in: true,
      accounts: [{ index: 0, logged_in: true, steam_id: expect.stringMatching(/^7656\d{13}$/) }],
    });
    expect((await mod.ticket()).length).toBeGreaterThan(100);

    const id = await mod.createLobby(gameServerId, 16);
    expect(id).toMatch(/^\d{17,20}$/);
    await mod.setData(id, { farmName: 'Hill', SteamLobby: '1' });
    await mod.setPrivacy(id, 'friendsonly');
    const [listed] = platform.lobbies.listed(gameApp);
    expect(listed).toMatchObject({ id, type: publicType, maxMembers: 16 });
    for (const [key, value] of [
      ['__gameserverSteamID', gameServerId],
      ['protocolVersion', '1.6.15'],
      ['farmName', 'Hill'],
    ] as const)
      expect(listed && holds(listed, key, value), key).toBe(true);
    expect(mod.calls.every(({ answers }) => answers.length === 1 && answers[0] === 200)).toBe(true);
  });

  it('asks again while the session is away, and finds its lobby again by the text that it knows', async () => {
    await using world = await Emulated.start();
    const { sidecar, clock, platform, mod, waits } = await hosting(world);
    await using _ = sidecar;
    await sidecar.until('logged-in');
    const lobby = { id: await mod.createLobby(gameServerId, 16), gameServerId, maxMembers: 16 };
    const first = lobby.id;
    await mod.setData(lobby.id, { farmName: 'Hill' });

    for (const day of ['1', '2', '3']) {
      platform.dropConnections();
      await sidecar.until('retrying');
      const before = lobby.id;
      await expect(mod.setPrivacy(before, 'public')).rejects.toThrow(/^500: /);
      expect(waits.splice(0)).toEqual([1_000, 2_000, 4_000]);
      clock.advance(10_000);
      await sidecar.until('logged-in');
      await mod.withLobby(lobby, (id) => mod.setData(id, { day }));
      expect(lobby.id).not.toBe(before);
      const listed = platform.lobbies.listed(gameApp);
      expect(listed.map(({ id }) => id)).toEqual([lobby.id]);
      expect(listed[0] && holds(listed[0], 'farmName', 'Hill') && holds(listed[0], 'day', day)).toBe(true);
      waits.length = 0;
    }
    expect(lobby.id).not.toBe(first);
  });

  it('gets a new lobby once the sidecar was replaced under it, which knows nothing of the one before', async () => {
    await using world = await Emulated.start();
    const lobby = { id: '', gameServerId, maxMembers: 16 };
    {
      const { sidecar, mod } = await hosting(world);
      await using _ = sidecar;
      await sidecar.until('logged-in');
      lobby.id = await mod.createLobby(gameServerId, 16);
    }
    const first = lobby.id;

    const { sidecar, platform, mod } = await hosting(world);
    await using _ = sidecar;
    await sidecar.until('logged-in');
    await mod.withLobby(lobby, (id) => mod.setData(id, { day: '2' }));
    expect(lobby.id).not.toBe(first);
    const listed = platform.lobbies.listed(gameApp);
    expect(listed.map(({ id }) => id)).toEqual([lobby.id]);
    expect(listed[0] && holds(listed[0], 'day', '2')).toBe(true);
  });

  it('has the operator told that it has a lobby that is gone, until it asks for the new one', async () => {
    await using world = await Emulated.start();
    const { sidecar, clock, platform, mod } = await hosting(world);
    await using _ = sidecar;
    await sidecar.until('logged-in');
    const lobby = { id: await mod.createLobby(gameServerId, 16), gameServerId, maxMembers: 16 };
    expect(await sidecar.status()).not.toHaveProperty('warnings');

    platform.dropConnections();
    await sidecar.until('retrying');
    clock.advance(10_000);
    const told = await sidecar.statusWhere(({ warnings }) => warnings !== undefined);
    expect(told.warnings).toEqual([
      expect.stringContaining('restart its container right after a new day has begun, while nobody plays'),
    ]);

    await mod.withLobby(lobby, (id) => mod.setData(id, { day: '2' }));
    expect(await sidecar.status()).not.toHaveProperty('warnings');
  });

  it('gets no credential, and is told so once', async () => {
    await using world = await Emulated.start();
    const { sidecar, mod, platform } = await hosting(world);
    await using _ = sidecar;
    await sidecar.until('logged-in');
    const refusal = await mod.refreshToken().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(CallFailure);
    expect(String(refusal)).toContain('403');
    expect(String(refusal)).toContain('gives credentials to nobody');
    expect(mod.calls.at(-1)?.answers).toEqual([403]);
    expect(String(refusal)).not.toContain(platform.refreshToken('ann').slice(0, 20));
  });
});

describe('beside that', () => {
  it('answers as the existing sidecar where there is no session or no such account', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    await using sidecar = await LocalSidecar.start({ platform, directory, compat: 'existing' });
    const ask = async (url: string) => {
      const { statusCode, body } = await sidecar.get(url);
      return { ...JSON.parse(body), code: statusCode };
    };
    expect(await ask('/health')).toMatchObject({ code: 200, logged_in: false, accounts: [] });
    expect(await ask('/steam/app-ticket?account=0')).toMatchObject({
      code: 500,
      error: expect.stringContaining('platform-auth login'),
    });
    expect(await ask('/steam/ready')).toMatchObject({ code: 503, ready: false });
    expect(await ask('/steam/lobby/status?account=abc')).toEqual({
      code: 200,
      lobby_id: null,
      is_logged_in: false,
    });
    expect(await ask('/steam/lobby/status?account=1')).toMatchObject({
      code: 500,
      error: expect.stringContaining('no account 1'),
    });
  });

  it.each([
    ['null', 400],
    ['', 500],
    ['{', 500],
    ['{"lobby_id":1}', 500],
    ['{"lobby_id":-1}', 500],
    ['{"lobby_id":18446744073709551616}', 500],
    ['{"lobby_id":1.5}', 500],
    ['{"lobby_id":"x"}', 500],
  ])('refuses the body %s with %i and a text', async (payload, status) => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    await using sidecar = await LocalSidecar.start({ platform, directory, compat: 'existing' });
    const answer = await sidecar.sidecar.app.inject({
      method: 'POST',
      url: '/steam/lobby/set-data',
      headers: { 'content-type': 'application/json' },
      payload,
    });
    expect(answer.statusCode, answer.body).toBe(status);
    expect(answer.json()).toEqual({ error: expect.stringMatching(/./) });
  });

  it.each([
    ['of another type', 'text/plain', '{}', 415],
    ['that is too long', 'application/json', ' '.repeat(2 * 1024 * 1024), 413],
  ])('refuses a body %s as such, and not as a mistake of its own', async (_what, type, payload, status) => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    await using sidecar = await LocalSidecar.start({ platform, directory, compat: 'existing' });
    const headers = { 'content-type': type };
    const url = '/steam/lobby/create';
    const answer = await sidecar.sidecar.app.inject({ method: 'POST', url, headers, payload });
    expect(answer.statusCode, answer.body).toBe(status);
    expect(answer.json().error).toMatch(/body|type/i);
  });

  it('answers nobody beyond a private network, and keeps the secret on its own paths', async () => {
    await using world = await Emulated.start();
    const { sidecar } = await hosting(world);
    await using _ = sidecar;
    await sidecar.until('logged-in');
    const from = (remoteAddress: string, url: string) =>
      sidecar.sidecar.app.inject({ url, remoteAddress }).then(({ statusCode }) => statusCode);
    expect(await from('203.0.113.9', '/steam/app-ticket')).toBe(403);
    expect(await from('172.18.0.5', '/steam/app-ticket')).toBe(200);
    expect(await from('172.18.0.5', '/platform/app-ticket')).toBe(401);
    expect(await from('172.18.0.5', '/steam')).toBe(401);
    const told = async (remoteAddress: string) =>
      (await sidecar.sidecar.app.inject({ url: '/health', remoteAddress })).json().accounts;
    expect(await told('172.18.0.5')).toEqual([expect.objectContaining({ steam_id: expect.any(String) })]);
    expect(await told('203.0.113.9')).toEqual([{ index: 0, logged_in: true }]);
    expect(await from('172.18.0.5', '/steam/../platform/app-ticket')).not.toBe(200);
  });

  it('does not know these paths unless it is told to', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    await using sidecar = await LocalSidecar.start({ platform, directory });
    expect((await sidecar.get('/steam/app-ticket')).statusCode).toBe(404);
    expect((await sidecar.get('/health')).json()).not.toHaveProperty('accounts');
  });

  it('takes over the session that the existing sidecar saved, and leaves its file', async () => {
    await using world = await Emulated.start();
    const folder = join(world.directory, 'ann');
    mkdirSync(folder);
    const text = JSON.stringify({ username: 'ann', refreshToken: world.platform.refreshToken('ann') });
    writeFileSync(join(folder, 'session.json'), text);
    mkdirSync(join(world.directory, 'broken'));
    writeFileSync(join(world.directory, 'broken', 'session.json'), '{"username":');
    await using sidecar = await SidecarProcess.start(world.platform, {
      SESSION_DIR: world.directory,
      PLATFORM_COMPAT: 'existing',
    });
    await sidecar.healthWhere(({ logged_in }) => logged_in);
    expect(await world.savedToken('ann')).toBeDefined();
    expect(readFileSync(join(folder, 'session.json'), 'utf8')).toBe(text);
    const warnings = (await sidecar.health()).session.warnings ?? [];
    expect(warnings).toEqual([expect.stringContaining('existing sidecar cannot be read')]);
  });
});
