import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/commands/run/exit-codes.ts';
import { oneAccountPerFarm } from '../../src/platform/contention.ts';
import { ContentionRecord } from '../../src/platform/contention-record.ts';
import { Emulated, gameApp } from '../world/emulated.ts';
import { doctorsAccounts, type Examined, examined, onlyFailure, statuses } from '../world/examined.ts';
import { LocalSidecar } from '../world/local-sidecar.ts';

let world: Emulated;
beforeEach(async () => {
  world = await Emulated.start({ accounts: doctorsAccounts });
});
afterEach(() => world[Symbol.asyncDispose]());

const token = () => world.platform.refreshToken('ann');

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
    expect(found.line('ticket').found).toMatch(/^the service gives one/);
    expect(world.platform.record.count({ path: 'ClientRequestEncryptedAppTicket' })).toBe(1);
    expect(world.platform.record.count({ path: 'ClientLogon' })).toBe(2);
  });

  it.each([
    ['that another program uses too', true, oneAccountPerFarm],
    ['that may not open one', false, 'Nothing to do: it is tried again'],
  ])('is said to have no lobby on an account %s, and what to do about it', async (_which, taken, remedy) => {
    await world.saveSession('ann');
    const now = new Date().toISOString();
    const kept = { account: '', reason: 'Another program uses the account', since: now, at: now };
    const record = new ContentionRecord(world.directory);
    if (taken) record.write(kept);
    await record.settled();
    world.platform.faults.add({ when: { path: 'ClientMMSCreateLobby' }, fault: { eresult: 15 } });
    const found = await beside({}, true, true);
    expect(found.line('lobby')).toMatchObject({ status: 'warning', remedy });
    const told = { status: 'warning', found: kept.reason, remedy };
    expect(found.line('service')).toMatchObject(taken ? told : { status: 'ok' });
    expect(found.exitCode).toBe(0);
  });

  it('fails where it has no session, with its own words', async () => {
    const found = await beside({}, false);
    expect(found.line('service')).toMatchObject({
      status: 'failed',
      found: 'No platform account is known',
      remedy: expect.stringContaining('platform-auth login'),
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
