import { request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { ExistingServer, type ExistingServerOptions } from '../existing-server.ts';

async function running(options: ExistingServerOptions = {}): Promise<ExistingServer> {
  const server = await ExistingServer.start(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

async function ask(
  server: ExistingServer,
  method: string,
  path: string,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(`${server.origin}${path}`, { method, headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
}

/** Without a Content-Length, as curl sends a POST that has no body. */
function bare(server: ExistingServer, method: string, path: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const outgoing = request(`${server.origin}${path}`, { method }, (answer) => {
    answer.resume();
    resolve(answer.statusCode);
  });
  outgoing.removeHeader('content-length');
  outgoing.removeHeader('transfer-encoding');
  outgoing.on('error', reject);
  outgoing.end();
  return promise;
}

it('writes ids as bare integers and leaves out what is not there', async () => {
  const server = await running();
  expect((await ask(server, 'GET', '/farmhands')).text).toContain('"id":620826087702429092,');
  const status = await ask(server, 'GET', '/status');
  expect(status.text).not.toMatch(/null|InviteCode/);
  expect(status.text).toMatch(/"lastUpdated":"[^"]+\.\d{7}Z"/);
  expect(status.headers.get('content-type')).toBe('application/json');
  expect(status.headers.get('x-snapshot-age-ms')).toMatch(/^\d+$/);
  expect(status.headers.get('access-control-allow-origin')).toBe('*');
});

it.each([
  ['POST', '/time?value=99', 'Value 99 out of range (600-2600)'],
  ['POST', '/time?value=noon', "Invalid value 'noon'"],
  ['POST', '/time', "Missing 'value'"],
  ['POST', '/rendering?fps=-1', "'fps'"],
  ['POST', '/roles/admin?name=nobody', "Player 'nobody' not found"],
  ['POST', '/roles/admin?playerId=7', 'Player id=7 not found'],
  ['POST', '/roles/admin?name=a&playerId=1', 'not both'],
  ['DELETE', '/farmhands?name=nobody', "Farmhand 'nobody' not found"],
  ['DELETE', '/farmhands?playerId=9223372036854775808', "Invalid 'playerId' value: '9223372036854775808'"],
  ['DELETE', '/farmhands?playerId=1&playerId=2', "Invalid 'playerId' value: '1,2'"],
  ['DELETE', '/farmhands', "Missing 'name' or 'playerId'"],
])('answers 200 to %s %s, and says inside that it failed', async (method, path, error) => {
  const server = await running();
  const { status, text } = await ask(server, method, path);
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ success: false, error: expect.stringContaining(error) });
});

it('deletes by the exact id, and not who is online', async () => {
  const server = await running();
  const player = server.farm.join();
  server.farm.customize(player, 'Ann');
  const path = `/farmhands?playerId=${player.id}`;
  expect((await ask(server, 'DELETE', path)).text).toContain(
    `Cannot delete farmhand id=${player.id} - currently online`,
  );
  player.isOnline = false;
  expect((await ask(server, 'DELETE', path)).text).toContain('"success":true');
  expect(server.farm.find({ playerId: player.id })).toBeUndefined();
});

it('deletes nobody while it saves, and blames an exception only once the farmhand is gone', async () => {
  const server = await running();
  const player = server.farm.addSlot();
  server.farm.customize(player, 'Ann');
  const failed = async (error: string) =>
    expect(JSON.parse((await ask(server, 'DELETE', '/farmhands?name=Ann')).text)).toEqual({
      success: false,
      error,
    });
  server.farm.isSaving = true;
  await failed('Cannot delete farmhand while save is in progress');
  server.farm.isSaving = false;
  server.farm.fault = 'Object reference not set to an instance of an object.';
  await failed(server.farm.fault);
  expect(server.farm.find({ playerId: player.id })).toBeUndefined();
  expect((await ask(server, 'POST', '/time?value=900')).status).toBe(500);
});

it('gives a deletion up in words of its own', async () => {
  const server = await running({ budgets: { deletionMs: 20 } });
  server.farm.thread.freeze();
  const { status, text } = await ask(server, 'DELETE', '/farmhands?playerId=7');
  expect([status, JSON.parse(text)]).toEqual([200, { success: false, error: 'Deletion timed out' }]);
});

it('shows and takes next to nothing without a world, and tells no code', async () => {
  const server = await running();
  Object.assign(server.farm, { isLoaded: false, networkCode: 'ABC', isPlatformLobbyStamped: true });
  server.farm.publish();
  const { text } = await ask(server, 'GET', '/status');
  expect(text).not.toContain('InviteCode');
  expect(JSON.parse(text)).toMatchObject({ isOnline: false, maxPlayers: 4, farmName: '', day: 0 });
  expect(JSON.parse((await ask(server, 'GET', '/farmhands')).text)).toMatchObject({ farmhands: [] });
  for (const [method, path] of [
    ['POST', '/time?value=900'],
    ['POST', '/roles/admin?name=Ann'],
    ['DELETE', '/farmhands?name=Ann'],
  ] as const)
    expect((await ask(server, method, path)).text).toContain('Server not ready');
  expect((await ask(server, 'POST', '/rendering?fps=5')).text).toContain('"success":true');
});

it('says 411 to a POST without a length, before anything else', async () => {
  const server = await running({ key: 'k' });
  expect(await bare(server, 'POST', '/time?value=1200')).toBe(411);
});

it.each([
  ['GET', '/nothing', 404],
  ['GET', '/time', 404],
  ['PUT', '/time', 405],
  ['GET', '/status/', 404],
])('answers %s %s with %i and its own body', async (method, path, status) => {
  const server = await running();
  const answer = await ask(server, method, path);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.text)).toHaveProperty('error');
});

it('asks for the key everywhere but on its public paths, in any case of the scheme', async () => {
  const server = await running({ key: 'secret' });
  expect((await ask(server, 'GET', '/status')).status).toBe(401);
  expect((await ask(server, 'GET', '/nowhere')).headers.get('www-authenticate')).toBe('Bearer');
  expect((await ask(server, 'GET', '/health')).status).toBe(200);
  expect((await ask(server, 'GET', '/stats')).status).toBe(200);
  expect((await ask(server, 'GET', '/status', { authorization: 'bearer secret' })).status).toBe(200);
});

it('waits for a newer version, and gives up with an empty 408', async () => {
  const server = await running({ snapshotMs: 5 });
  const { version } = JSON.parse((await ask(server, 'GET', '/players')).text);
  const newer = await ask(server, 'GET', `/wait/players?since=${version}`);
  expect(JSON.parse(newer.text).version).toBeGreaterThan(version);
  server.farm.thread.freeze();
  const { version: last } = JSON.parse((await ask(server, 'GET', '/players')).text);
  const late = await ask(server, 'GET', `/wait/players?since=${last}&timeout=20`);
  expect([late.status, late.text]).toEqual([408, '']);
  expect(late.headers.get('connection')).toBe('close');
});

it('fails a write with 503 while its game is frozen, and does not do it later', async () => {
  const server = await running({ budgets: { actionMs: 20 } });
  server.farm.thread.freeze();
  const answer = await ask(server, 'POST', '/time?value=1200', { 'content-length': '0' });
  expect(answer.status).toBe(503);
  expect(JSON.parse(answer.text)).toMatchObject({ retry: true });
  expect(answer.headers.get('connection')).toBe('close');
  expect(server.farm.calendar.timeOfDay).toBe(600);
  const inTime = server.farm.thread.run(() => 'run', 1_000);
  server.farm.thread.thaw();
  expect(await inTime).toBe('run');
  expect(server.farm.calendar.timeOfDay).toBe(600);
});
