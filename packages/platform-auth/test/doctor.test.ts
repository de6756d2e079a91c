import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exitCodes } from '../src/commands/exit-codes.ts';
import { Emulated, gameApp } from './world/emulated.ts';
import { type Examined, examined, unusedPort } from './world/examined.ts';
import { LocalSidecar } from './world/local-sidecar.ts';

const accounts = [
  { name: 'ann', password: 'pass-of-ann', owns: [gameApp] },
  { name: 'bob', password: 'pass-of-bob', owns: [gameApp] },
  { name: 'poor', password: 'pass-of-poor', owns: [] },
];

let world: Emulated;
beforeEach(async () => {
  world = await Emulated.start({ accounts });
});
afterEach(() => world[Symbol.asyncDispose]());

const token = (account = 'ann', lifetimeDays?: number) =>
  world.platform.refreshToken(account, lifetimeDays === undefined ? {} : { lifetimeDays });

function statuses({ lines }: Examined, status: string): string[] {
  return lines.filter((line) => line.status === status).map(({ check }) => check);
}

/** That the one line names what is broken, with something to do about it, and decides the exit code. */
function onlyFailure(found: Examined, check: string, text: RegExp, end: keyof typeof exitCodes): void {
  expect(statuses(found, 'failed')).toEqual([check]);
  expect(found.line(check).found).toMatch(text);
  expect(found.line(check).remedy?.length).toBeGreaterThan(10);
  expect(found.exitCode).toBe(exitCodes[end].code);
}

it('finds nothing wrong where all is well, and leaves nothing behind', async () => {
  await world.saveSession('ann');
  const files = readdirSync(world.directory);
  const found = await examined(world, {});
  expect(statuses(found, 'failed')).toEqual([]);
  expect(statuses(found, 'warning')).toEqual(['service']);
  expect(statuses(found, 'skipped')).toEqual(['lobby']);
  expect(found.exitCode).toBe(0);
  expect(readdirSync(world.directory)).toEqual(files);
  expect(world.platform.lobbies.listed(gameApp)).toEqual([]);
  await expect.poll(() => world.platform.online).toEqual([]);
});

describe('the configuration', () => {
  it.each([
    ['a value that does not fit', { PORT: 'mine' }, /^PORT is wrong: it must be an integer/],
    [
      'a secret that is given twice',
      { PLATFORM_PASSWORD: 'x', PLATFORM_PASSWORD_FILE: '/x' },
      /are both set/,
    ],
    [
      'a secret whose file is not there',
      { PLATFORM_PASSWORD_FILE: '/home/ann/secret' },
      /names a file, which cannot be read \(ENOENT\)/,
    ],
    ['a password without a name', { PLATFORM_PASSWORD: 'x' }, /without PLATFORM_USERNAME/],
    ['two bad values', { PORT: '-1', LOG_LEVEL: 'loud' }, /^PORT is wrong.*; LOG_LEVEL is wrong/],
  ])('fails for %s', async (_name, environment, text) => {
    const found = await examined(world, environment);
    onlyFailure(found, 'configuration', text, 'failure');
    expect(statuses(found, 'skipped')).toHaveLength(found.lines.length - 1);
    expect(JSON.stringify(found.lines)).not.toContain('/home/ann');
  });

  it.each([
    [
      'a name that means nothing',
      { PLATFORM_REFRESHTOKEN: 'x' },
      /^PLATFORM_REFRESHTOKEN means nothing here$/,
    ],
    [
      'an item of NO_PROXY that cannot be read',
      { NO_PROXY: 'a.example,<local>' },
      /^1 of the items in NO_PROXY/,
    ],
    ['a port that is open to all', { HOST: '0.0.0.0' }, /^PLATFORM_AUTH_SECRET is not set/],
  ])('warns of %s', async (_name, environment, text) => {
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token(), ...environment });
    expect(found.line('configuration')).toMatchObject({
      status: 'warning',
      found: expect.stringMatching(text),
    });
    expect(found.exitCode).toBe(0);
  });
});

describe('the directories', () => {
  it('warns of a SESSION_DIR that is open to others', async () => {
    await world.saveSession('ann');
    chmodSync(world.directory, 0o755);
    const found = await examined(world, {});
    expect(found.line('session-directory')).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('755'),
    });
    expect(found.exitCode).toBe(0);
  });

  it('fails for a session that others can read, also when it is used right after', async () => {
    await world.saveSession('ann');
    chmodSync(join(world.directory, 'session-ann.json'), 0o644);
    onlyFailure(await examined(world, {}), 'session-directory', /^1 of 1 session files/, 'disk');
  });

  it.each([
    ['SESSION_DIR', 'session-directory'],
    ['GAME_DIR', 'game-directory'],
  ])('fails for a %s that is a file, or lies below one', async (variable, check) => {
    const file = join(world.directory, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'below')]) {
      const found = await examined(world, { [variable]: path, PLATFORM_REFRESH_TOKEN: token() });
      expect(found.line(check)).toMatchObject({ status: 'failed' });
      expect(found.exitCode).toBe(exitCodes.disk.code);
      expect(JSON.stringify(found.lines)).not.toContain(world.directory);
    }
  });

  it('is content with directories that are still to be made', async () => {
    const [session, game] = [join(world.directory, 'a', 'b'), join(world.directory, 'c')];
    const found = await examined(world, {
      SESSION_DIR: session,
      GAME_DIR: game,
      PLATFORM_REFRESH_TOKEN: token(),
    });
    expect(statuses(found, 'failed')).toEqual([]);
    expect(readdirSync(world.directory)).toEqual([]);
  });
});

describe('the way to the platform', () => {
  const rest = ['web-api', 'clock', 'connection-managers', 'content-servers', 'login', 'ownership', 'ticket'];

  it('fails for a proxy that is not there', async () => {
    const found = await examined(world, {
      PLATFORM_REFRESH_TOKEN: token(),
      PLATFORM_PROXY: `http://127.0.0.1:${await unusedPort()}`,
    });
    onlyFailure(found, 'proxy', /PLATFORM_PROXY takes no connections \(ECONNREFUSED\)/, 'network');
    expect(statuses(found, 'skipped')).toEqual(expect.arrayContaining(rest));
    expect(found.line('login').found).toBe('because of the line "Proxy"');
  });

  it('fails for a machine without DNS', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'EAI_AGAIN' }));
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token(), PLATFORM_PROXY: '' }, { lookup });
    onlyFailure(found, 'names', /does not resolve \(EAI_AGAIN\)/, 'network');
  });

  it.each([
    [
      'a proxy that refuses',
      { when: { kind: 'proxy', host: /^api/ }, fault: { status: 407 } },
      /the proxy answers 407/,
    ],
    ['a web API that is down', { when: { kind: 'web-api' }, fault: { status: 503 } }, /answers 503/],
    [
      'a web API that breaks off',
      { when: { kind: 'web-api' }, fault: { resetAtByte: 0 } },
      /cannot be reached over the proxy \(ECONNRESET\)/,
    ],
  ] as const)('fails for %s', async (_name, rule, text) => {
    world.platform.faults.add(rule);
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token() });
    onlyFailure(found, 'web-api', text, 'network');
    expect(statuses(found, 'skipped')).toEqual(expect.arrayContaining(rest.slice(1)));
  });

  it('fails for connection managers that are cut off', async () => {
    world.platform.faults.add({ when: { kind: 'proxy', host: /steamserver/ }, fault: { status: 502 } });
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token() });
    onlyFailure(
      found,
      'connection-managers',
      /cm-emulator\.steamserver\.net cannot be reached over the proxy/,
      'network',
    );
    expect(statuses(found, 'ok')).toContain('content-servers');
  });

  it('fails for a platform that hangs, within the limit', async () => {
    world.platform.faults.add({ when: { kind: 'web-api' }, fault: { stallAtByte: 0 } });
    const clock = {
      now: () => performance.now(),
      date: () => new Date(),
      after(ms: number, action: () => void) {
        const timer = setTimeout(action, ms / 20);
        return () => clearTimeout(timer);
      },
    };
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token() }, { clock });
    onlyFailure(found, 'web-api', /^took longer than 12 s$/, 'network');
  });

  it.each([
    [-600_000, 'failed', /^600 s ahead of/],
    [600_000, 'failed', /^600 s behind/],
    [60_000, 'warning', /^60 s behind/],
    [5_000, 'ok', /^within 30 s/],
  ])('with a platform whose clock is %i ms ahead: %s', async (skew, status, text) => {
    const minted = token();
    world.platform.faults.clockSkewMs = skew;
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: minted });
    expect(found.line('clock').status).toBe(status);
    expect(
      found
        .line('clock')
        .found.replace(/\b(599|601) s/, '600 s')
        .replace(/\b(59|61) s/, '60 s'),
    ).toMatch(text);
  });
});

it.each([
  [[{ name: 'dead', dead: true }], 'failed', /127\.0\.0\.1 cannot be reached straight \(ECONNREFUSED\)/],
  [[{ name: 'dead', dead: true }, { name: 'good' }], 'warning', /^1 of 2 answer/],
] as const)('says how the content servers are: %j', async (contentHosts, status, text) => {
  await using other = await Emulated.start({ accounts, contentHosts });
  const found = await examined(other, { PLATFORM_REFRESH_TOKEN: other.platform.refreshToken('ann') });
  expect(found.line('content-servers')).toMatchObject({ status, found: expect.stringMatching(text) });
  expect(statuses(found, 'ok')).toContain('login');
});

describe('the credentials', () => {
  it('fails where there are none', async () => {
    onlyFailure(await examined(world, {}), 'credentials', /nothing to log in with/, 'no-credentials');
  });

  it('fails where several accounts could be meant, without naming them', async () => {
    await world.saveSession('ann');
    await world.saveSession('bob');
    const found = await examined(world, {});
    onlyFailure(found, 'credentials', /sessions of 2 accounts/, 'failure');
    expect(JSON.stringify(found.lines)).not.toMatch(/\bann\b|\bbob\b/);
  });

  it('fails where another account is saved than the one that is meant', async () => {
    await world.saveSession('ann');
    onlyFailure(
      await examined(world, { PLATFORM_USERNAME: 'bob' }),
      'credentials',
      /another account/,
      'no-credentials',
    );
  });

  it.each([
    ['has expired', -1, 'failed'],
    ['lasts 9 more days', 9.5, 'warning'],
    ['lasts 0 more days', 0.5, 'warning'],
    ['lasts 100 more days', 100.5, 'ok'],
  ])('says that a token %s', async (text, days, status) => {
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token('ann', days) });
    expect(found.line('credentials')).toMatchObject({ status, found: `PLATFORM_REFRESH_TOKEN ${text}` });
    expect(found.exitCode).toBe(status === 'failed' ? exitCodes['login-refused'].code : 0);
  });

  it('fails for what is no token', async () => {
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: 'a.b.c' });
    onlyFailure(found, 'credentials', /^PLATFORM_REFRESH_TOKEN is not a refresh token/, 'login-refused');
  });

  it('does not spend a login on a password', async () => {
    const found = await examined(world, { PLATFORM_USERNAME: 'ann', PLATFORM_PASSWORD: 'pass-of-ann' });
    expect(found.line('login').status).toBe('skipped');
    expect(world.platform.record.matching({ kind: 'service-method' })).toEqual([]);
  });
});

describe('the login', () => {
  it('fails for a revoked token', async () => {
    const revoked = token();
    world.platform.revoke(revoked);
    onlyFailure(
      await examined(world, { PLATFORM_REFRESH_TOKEN: revoked }),
      'login',
      /^PLATFORM_REFRESH_TOKEN: /,
      'login-refused',
    );
  });

  it('warns of it where the saved session works', async () => {
    const revoked = token();
    world.platform.revoke(revoked);
    await world.saveSession('ann');
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: revoked });
    expect(found.line('login')).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('logged in with the saved session'),
    });
    expect(statuses(found, 'ok')).toContain('ticket');
  });

  it.each([
    [84, 'rate-limited'],
    [20, 'network'],
    [6, 'login-refused'],
  ] as const)('fails for result code %i as %s', async (eresult, end) => {
    world.platform.faults.add({ when: { path: 'ClientLogon' }, fault: { eresult } });
    onlyFailure(await examined(world, { PLATFORM_REFRESH_TOKEN: token() }), 'login', /./, end);
  });
});

describe('the game', () => {
  it('fails for an account that does not own it', async () => {
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token('poor') });
    onlyFailure(found, 'ownership', /does not own the game/, 'not-owned');
    expect(found.line('ticket').status).toBe('skipped');
  });

  it('fails for a platform that gives no tickets', async () => {
    world.platform.faults.add({ when: { path: 'ClientRequestEncryptedAppTicket' }, fault: { eresult: 2 } });
    onlyFailure(
      await examined(world, { PLATFORM_REFRESH_TOKEN: token() }),
      'ticket',
      /failed without saying why/,
      'network',
    );
  });

  it('takes no offence at the second ticket within a minute', async () => {
    await examined(world, { PLATFORM_REFRESH_TOKEN: token() });
    const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token() });
    expect(found.line('ticket').status).toBe('warning');
    expect(found.exitCode).toBe(0);
  });
});

describe('a service that runs here', () => {
  const secret = 'secret-of-the-sidecar';

  async function beside(environment: NodeJS.ProcessEnv, ready = true, lobby = false): Promise<Examined> {
    await using local = await LocalSidecar.start({
      platform: world.platform,
      directory: world.directory,
      secret,
    });
    const port = await local.listen();
    if (ready) await local.until('logged-in');
    if (lobby)
      await local.sidecar.app.inject({
        url: '/platform/lobby',
        method: 'PUT',
        payload: {},
        headers: { authorization: `Bearer ${secret}` },
      });
    const before = await local.status();
    const lobbies = world.platform.lobbies.listed(gameApp).map(({ id }) => id);
    const found = await examined(world, {
      PORT: port,
      PLATFORM_AUTH_SECRET: secret,
      ...environment,
    });
    expect(await local.status()).toEqual(before);
    expect(world.platform.lobbies.listed(gameApp).map(({ id }) => id)).toEqual(lobbies);
    return found;
  }

  it('is asked for its ticket and its lobby, and not disturbed', async () => {
    await world.saveSession('ann');
    const found = await beside({}, true, true);
    expect(statuses(found, 'ok')).toEqual(found.lines.map(({ check }) => check));
    expect(found.line('lobby').found).toBe('open and public');
    expect(world.platform.record.count({ path: 'ClientRequestEncryptedAppTicket' })).toBe(1);
    expect(world.platform.record.count({ path: 'ClientLogon' })).toBe(2);
  });

  it('fails where it has no session, with its own words', async () => {
    const found = await beside({}, false);
    expect(found.line('service')).toMatchObject({
      status: 'failed',
      found: 'No platform account is known to this sidecar',
      remedy: expect.stringContaining('platform-auth setup'),
    });
    expect(found.exitCode).toBe(exitCodes['no-credentials'].code);
  });

  it('fails where it has another secret', async () => {
    await world.saveSession('ann');
    const found = await beside({ PLATFORM_AUTH_SECRET: 'another' });
    expect(statuses(found, 'failed')).toEqual(['ticket', 'lobby']);
    expect(found.line('ticket').found).toContain('refuses this PLATFORM_AUTH_SECRET');
  });

  it('keeps the doctor from logging in while the platform counts logins', async () => {
    await world.saveSession('ann');
    world.platform.faults.add({ when: { path: 'ClientLogon' }, fault: { eresult: 84 } });
    await using local = await LocalSidecar.start({ platform: world.platform, directory: world.directory });
    const port = await local.listen();
    await local.until('rate-limited');
    const found = await examined(world, { PORT: port });
    onlyFailure(found, 'service', /counts too many logins/, 'rate-limited');
    expect(found.line('login').status).toBe('skipped');
    expect(world.platform.record.count({ path: 'ClientLogon' })).toBe(1);
  });

  it('fails for another program on its port', async () => {
    const server = createServer((_request, response) => response.end('<h1>It works!</h1>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const found = await examined(world, { PORT: String(port), PLATFORM_REFRESH_TOKEN: token() });
    server.close();
    onlyFailure(found, 'service', /^another program answers/, 'failure');
  });
});

it('has names and remedies that fit the status, whatever it finds', async () => {
  rmSync(world.directory, { recursive: true });
  const found = await examined(world, { PLATFORM_REFRESH_TOKEN: token() });
  for (const { check, status, remedy } of found.lines) {
    expect(check).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(remedy === undefined).toBe(status === 'ok' || status === 'skipped');
  }
});
