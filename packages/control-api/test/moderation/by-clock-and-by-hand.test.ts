import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { openApi } from '../api/stage/open-api.ts';

const yearMs = 365 * 24 * 3_600_000;

function identitiesIn(directory: string) {
  const { bans } = JSON.parse(readFileSync(join(directory, 'bans.json'), 'utf8')) as {
    bans: { identity: string }[];
  };
  return bans.map(({ identity }) => identity);
}

/** Time goes by while the service looks around. */
async function passes(api: Awaited<ReturnType<typeof openApi>>, seconds: number) {
  for (let second = 0; second < seconds; second += 5) {
    api.clock.advance(5_000);
    api.farm.tick();
    await api.ask('GET', '/bans');
  }
}

it.each(['/bans?identity=6', `/bans/import?rows=${encodeURIComponent('[{"identity":"6"}]')}`])(
  'keeps bans that are over by a clock that was just set, also where others are added: %s',
  async (path) => {
    using directory = temporaryDirectory();
    await using api = await openApi({ directory: directory.path });
    api.watch();
    await api.ask('POST', '/bans?identity=5&until=30d');
    api.clock.setWallClock(yearMs);
    await api.ask('POST', path);
    expect(identitiesIn(directory.path)).toEqual(['5', '6']);
    await passes(api, 60);
    api.clock.setWallClock(-yearMs);
    expect((await api.ask('GET', '/bans')).exact).toMatchObject({
      bans: [{ identity: '5' }, { identity: '6' }],
    });
  },
);

it('keeps bans that are over by the clock of a machine that has only just started', async () => {
  using directory = temporaryDirectory();
  const bans = [{ identity: '5', until: '2026-11-01' }];
  await using api = await openApi({ directory: directory.path, leftLists: { bans, allowlist: [] } });
  api.watch();
  await passes(api, 60);
  // Whatever is being written by then is written before this.
  await api.ask('POST', '/bans?identity=6');
  expect(identitiesIn(directory.path)).toEqual(['5', '6']);
  await passes(api, 11 * 60);
  await vi.waitFor(async () => {
    await passes(api, 5);
    expect(identitiesIn(directory.path)).toEqual(['6']);
  });
});

it('says once that bans that are over cannot be removed from the file, however often it is tried', async () => {
  using directory = temporaryDirectory();
  const log = new PassThrough();
  let written = '';
  log.on('data', (part) => {
    written += String(part);
  });
  const times = () => written.match(/bans that are over cannot be removed/g)?.length ?? 0;
  const over = (identity: string) => ({ identity, until: '2026-11-01' });
  const leftLists = { bans: [over('5')], allowlist: [] };
  await using api = await openApi({ directory: directory.path, leftLists, log });
  const inTheWay = join(directory.path, 'bans.json.new', 'full');
  const until = (isSo: () => void) =>
    vi.waitFor(async () => {
      await passes(api, 5);
      isSo();
    });
  api.watch();
  mkdirSync(inTheWay, { recursive: true });
  await passes(api, 11 * 60);
  await until(() => expect(times()).toBe(1));
  for (let time = 0; time < 10; time += 1) {
    await passes(api, 5);
    // Whatever is being written by then is written before this.
    await api.ask('DELETE', '/bans?identity=6');
  }
  expect(times()).toBe(1);
  rmSync(dirname(inTheWay), { recursive: true });
  await until(() => expect(identitiesIn(directory.path)).toEqual([]));
  // Another time is told of again.
  mkdirSync(inTheWay, { recursive: true });
  writeFileSync(join(directory.path, 'bans.json'), JSON.stringify({ version: 1, bans: [over('6')] }));
  await until(() => expect(times()).toBe(2));
});

it('says once why a banned player who is online cannot be kicked, however often it is tried', async () => {
  const log = new PassThrough();
  const written = text(log);
  {
    await using api = await openApi({ log });
    const again = async (message: string) => {
      api.farm.mood = { refuses: 'saving', message };
      for (let time = 0; time < 3; time += 1) {
        const { exact } = await api.ask('POST', '/bans?identity=76561198000000001');
        expect(exact).toMatchObject({ stillOnline: [{ reason: message }] });
        api.clock.advance(10_000);
        api.farm.tick();
      }
    };
    await again('the farm is saving');
    await again('the farm is busy');
    expect(api.farm.heard).toHaveLength(6);
  }
  log.end();
  const told = (await written).match(/cannot be kicked: the farm is \w+/g);
  expect(told?.map((line) => line.split(' ').at(-1))).toEqual(['saving', 'busy']);
});

it('takes in again whose time on the allowlist is over', async () => {
  const allowlist = [{ identity: '5', until: '2026-11-01' }, { identity: '6' }];
  await using api = await openApi({ leftLists: { bans: [], allowlist } });
  const rows = encodeURIComponent(JSON.stringify([{ identity: '5' }, { identity: '6' }]));
  expect((await api.ask('POST', `/bans/import?list=allowlist&rows=${rows}`)).exact).toMatchObject({
    added: 1,
    alreadyThere: 1,
  });
  const listed = (await api.ask('GET', '/allowlist')).exact['allowlist'] as {
    identity: string;
    until?: string;
  }[];
  expect(listed.map(({ identity, until }) => [identity, until]).toSorted()).toEqual([
    ['5', undefined],
    ['6', undefined],
  ]);
});

it('is not asked which of two is meant where the other is over', async () => {
  const [one, other] = [
    { playerId: '5', playerName: 'Ann', until: '2026-11-01' },
    { playerId: '6', playerName: 'Ann' },
  ];
  await using api = await openApi({ leftLists: { bans: [one, other], allowlist: [] } });
  expect((await api.ask('DELETE', '/bans?name=Ann')).exact).toMatchObject({ row: { playerIdStr: '6' } });
});

it('reads a file with a byte order mark', async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'bans.json');
  writeFileSync(file, `\ufeff${JSON.stringify({ version: 1, bans: [{ identity: '5' }], allowlist: [] })}`);
  await using api = await openApi({ directory: directory.path });
  expect((await api.ask('GET', '/bans')).exact).toMatchObject({ bans: [{ identity: '5' }] });
});

it('knows a network by its one form, however it is written', async () => {
  await using api = await openApi();
  const { exact } = await api.ask('POST', '/bans?address=198.51.100.77/24');
  expect(exact).toMatchObject({ row: { address: '198.51.100.0/24' } });
  await api.ask('POST', '/bans?address=198.51.100.0/24&reason=again');
  expect((await api.ask('GET', '/bans')).exact).toMatchObject({ bans: [{ reason: 'again' }] });
  expect((await api.ask('DELETE', '/bans?address=198.51.100.3/24')).statusCode).toBe(200);
  expect((await api.ask('GET', '/bans')).exact).toEqual({ bans: [] });
});

it('finds in the log from where somebody comes by direct IP, as it is to be banned', async () => {
  const log = new PassThrough();
  const written = text(log);
  {
    await using api = await openApi({ log });
    const asks = { connectionId: 'L_7f21', slots: api.farm.state.farmhands };
    await api.farm.ask('visibleSlots', { ...asks, address: '::ffff:198.51.100.7' });
  }
  log.end();
  expect(await written).toContain('Client connected via direct-ip (address 198.51.100.7)');
});

it('tells once of a ban without identities that was changed, also when somebody edits another row by hand', async () => {
  using directory = temporaryDirectory();
  const leftLists = { bans: [{ id: 'row_000000000001', playerId: '42' }], allowlist: [] };
  await using api = await openApi({ directory: directory.path, leftLists });
  api.watch();
  await api.ask('POST', '/bans?playerId=42&until=30d');
  const file = join(directory.path, 'bans.json');
  const { bans, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as { bans: object[] };
  writeFileSync(file, JSON.stringify({ ...rest, bans: [...bans, { identity: '6' }] }));
  await vi.waitFor(async () => {
    await passes(api, 5);
    expect((await api.ask('GET', '/bans')).exact).toMatchObject({
      bans: [{ id: 'row_000000000001' }, { identity: '6' }],
    });
  });
  const { exact } = await api.ask('GET', '/events?topics=players');
  const told = exact['events'] as { type: string; data: { rowId: string; playerIdStr?: string } }[];
  expect(told.map(({ data }) => data.playerIdStr)).toEqual(['42', undefined]);
});

it('knows a row without an id again by whom it is about, also when somebody deletes one before it by hand', async () => {
  using directory = temporaryDirectory();
  const given = (...identities: string[]) => identities.map((identity) => ({ identity }));
  const leftLists = { bans: given('5', '6', '7', '7'), allowlist: [] };
  await using api = await openApi({ directory: directory.path, leftLists });
  api.watch();
  const rows = async () => {
    const { exact } = await api.ask('GET', '/bans');
    return (exact['bans'] as { id: string; identity: string }[]).map(({ id, identity }) => ({
      id,
      identity,
    }));
  };
  const before = await rows();
  expect(new Set(before.map(({ id }) => id)).size).toBe(4);
  const rest = JSON.stringify({ version: 1, bans: given('6', '7', '7') });
  writeFileSync(join(directory.path, 'bans.json'), rest);
  await vi.waitFor(async () => {
    await passes(api, 5);
    expect(await rows()).toEqual(before.slice(1));
  });
  const { exact } = await api.ask('GET', '/events?topics=players');
  expect(exact['events']).toMatchObject([{ type: 'players.unbanned', data: { rowId: before[0]?.id } }]);
});
