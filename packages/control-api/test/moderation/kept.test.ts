import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { openApi } from '../api/stage/open-api.ts';

const headers = { 'idempotency-key': 'once' };

it.each([
  ['on the same day', 0],
  ['after midnight UTC', -60_000],
])('lists by the file what a crash kept from the database, and knows a retry %s', async (_when, clockBy) => {
  using before = temporaryDirectory();
  using after = temporaryDirectory();
  const url = '/bans?identity=5';
  const first = await (async () => {
    await using api = await openApi({ directory: before.path });
    api.clock.setWallClock(clockBy);
    await api.ask('POST', url);
    return (await api.ask('DELETE', url, { headers })).exact;
  })();
  copyFileSync(join(before.path, 'bans.json'), join(after.path, 'bans.json'));
  await using api = await openApi({ directory: after.path });
  expect((await api.ask('GET', `/operations/${first['operationId']}`)).exact).toMatchObject({
    command: 'removeBan',
    state: 'applied',
  });
  expect((await api.ask('DELETE', url, { headers })).exact).toEqual(first);
  expect((await api.ask('GET', '/bans')).exact).toEqual({ bans: [] });
});

it('holds over a restart, and tells nothing again', async () => {
  using directory = temporaryDirectory();
  {
    await using api = await openApi({ directory: directory.path });
    await api.ask('POST', '/bans?identity=5');
  }
  await using api = await openApi({ directory: directory.path });
  const { exact } = await api.ask('GET', '/events?topics=players');
  expect((exact['events'] as { type: string }[]).map(({ type }) => type)).toEqual(['players.banned']);
  const slot = api.farm.state.farmhands[0];
  expect(await api.farm.ask('mayJoin', { connectionId: 'GN_5', slot })).toMatchObject({
    result: { decision: 'refuse', message: 'You are banned from this farm' },
  });
});

it('changes nothing where the file cannot be written, and leaves the key free', async () => {
  using directory = temporaryDirectory();
  await using api = await openApi({ directory: directory.path });
  const inTheWay = join(directory.path, 'bans.json.new');
  mkdirSync(join(inTheWay, 'full'), { recursive: true });
  const { exact, statusCode } = await api.ask('POST', '/bans?identity=5', { headers });
  expect([statusCode, exact['code']]).toEqual([503, 'state-unwritable']);
  expect((await api.ask('GET', '/bans')).exact).toEqual({ bans: [] });
  rmSync(inTheWay, { recursive: true });
  expect((await api.ask('POST', '/bans?identity=5', { headers })).statusCode).toBe(200);
});

it('keeps what somebody wrote manually, and whose the file is', async () => {
  using directory = temporaryDirectory();
  await using api = await openApi({ directory: directory.path });
  const file = join(directory.path, 'bans.json');
  writeFileSync(file, JSON.stringify({ version: 1, bans: [{ identity: '5' }] }), { mode: 0o640 });
  await api.ask('POST', '/bans?identity=6');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  const { bans } = JSON.parse(readFileSync(file, 'utf8')) as { bans: { identity: string }[] };
  expect(bans.map(({ identity }) => identity)).toEqual(['5', '6']);
});

it('takes as many as there may be', async () => {
  using directory = temporaryDirectory();
  const bans = Array.from({ length: 5_000 }, (_, index) => ({ identity: String(index + 1) }));
  writeFileSync(join(directory.path, 'bans.json'), JSON.stringify({ version: 1, bans }));
  await using api = await openApi({ directory: directory.path });
  const { exact } = await api.ask('POST', '/bans?identity=9999');
  expect(exact['code']).toBe('too-many-bans');
  expect((await api.ask('POST', '/bans?identity=5&reason=again')).statusCode).toBe(200);
});
