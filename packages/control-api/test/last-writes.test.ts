import { readdirSync, readFileSync } from 'node:fs';
import { emptyFarm, slot } from '@steward/testing/game/empty-farm';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';

const entry = 'packages/control-api/src/main.ts';
const slowDisk = new URL('./slow-disk.ts', import.meta.url).href;

/** A game that tells of somebody who has come only when its input ends, which is its last word. */
const lastWords = `
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const state = ${JSON.stringify({ ...emptyFarm(), farmhands: [{ ...slot('1', 'Ann'), isCustomized: false }] })};
  say({ id: '1', method: 'hello', params: {
    protocol: { major: 1, minor: 0 }, game: { name: 'Last words', version: '1' }, capabilities: [],
    farm: state.farm,
  } });
  process.stdin.once('data', () => {
    say({ method: 'state', params: state });
    say({ method: 'tick', params: { count: 1 } });
  });
  process.stdin.on('end', () => {
    say({ method: 'event', params: { event:
      { kind: 'playerJoined', playerId: '1', playerName: 'Ann', connectionId: 'GN_46265193014' } } });
    const players = [{ id: '1', name: 'Ann', isAdmin: false, connectionId: 'GN_46265193014' }];
    const farmhands = state.farmhands.map((slot) => ({ ...slot, isOnline: true }));
    say({ method: 'state', params: { players, farmhands, farm: { ...state.farm, saveGeneration: 4 } } });
  });
`;

it('has on the disk what its game said last, however slow the disk, when it has stopped in order', async () => {
  using directory = temporaryDirectory();
  const { path } = directory;
  await using api = new Program(entry, [], {
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    PLATFORM_AUTH_URL: '',
    STATE_DIR: path,
    SETTINGS_PATH: `${path}/server-settings.json`,
    GAME_BRIDGE: 'spawn',
    GAME_MARKER: '',
    GAME_COMMAND: JSON.stringify([process.execPath, '-e', lastWords]),
    NODE_OPTIONS: `--import ${slowDisk}`,
  });
  await api.line(/listening on/);
  await api.line(/Last words 1 is connected/);
  // Whatever else there is to write is there by then.
  await vi.waitFor(() => expect(readdirSync(path)).toContain('farm-origins.json'), { timeout: 30_000 });
  api.kill('SIGTERM');
  expect(await api.exited).toEqual({ code: 0, signal: null });
  const farm = `${path}/farms/Meadow_1`;
  expect(readdirSync(farm)).toEqual(['farmhand-ownership.json']);
  expect(JSON.parse(readFileSync(`${farm}/farmhand-ownership.json`, 'utf8'))).toMatchObject({
    farmhands: { '1': { owner: 'network', id: '46265193014' } },
  });
  expect(JSON.parse(readFileSync(`${path}/farm-origins.json`, 'utf8'))).toMatchObject({
    farms: [{ farmId: 'Meadow_1' }],
  });
  expect(readdirSync(path).filter((name) => /\.new$|^\./.test(name))).toEqual([]);
});

it('knows the key of a change of settings that it has answered, however slow the disk, when it was killed right after', async () => {
  using directory = temporaryDirectory();
  const { path } = directory;
  const start = async () => {
    const api = new Program(entry, [], {
      API_HOST: '127.0.0.1',
      API_PORT: '0',
      PLATFORM_AUTH_URL: '',
      STATE_DIR: path,
      SETTINGS_PATH: `${path}/server-settings.json`,
      NODE_OPTIONS: `--import ${slowDisk}`,
    });
    const [, origin = ''] = await api.line(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
    const change = (maxPlayers: number) =>
      fetch(`${origin}/settings?maxPlayers=${maxPlayers}`, {
        method: 'POST',
        headers: { 'idempotency-key': 'k' },
      });
    return Object.assign(api, { change });
  };
  {
    await using api = await start();
    expect((await api.change(5)).status).toBe(200);
    api.kill('SIGKILL');
    await api.exited;
  }
  await using api = await start();
  expect((await api.change(6)).status).toBe(422);
  expect(await (await api.change(5)).json()).toMatchObject({ before: { maxPlayers: 10 } });
});
