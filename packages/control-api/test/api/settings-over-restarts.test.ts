import { readFileSync } from 'node:fs';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { openApi } from './stage/open-api.ts';

const headers = { 'idempotency-key': 'k-1' };

describe.each([
  ['with a game', { game: true }],
  ['without one', { game: false }],
])('a change of settings that is sent again, %s', (_game, { game }) => {
  it('gets the first answer and changes nothing, over a restart too', async () => {
    using directory = temporaryDirectory();
    const kept = { directory: directory.path, game };
    const first = await (async () => {
      await using api = await openApi(kept);
      const { exact } = await api.ask('POST', '/settings?maxPlayers=5&separateWallets=true', { headers });
      await api.ask('POST', '/settings?maxPlayers=7');
      const again = await api.ask('POST', '/settings?separateWallets=true&maxPlayers=5', { headers });
      expect(again.exact).toEqual(exact);
      return exact;
    })();
    await using api = await openApi(kept);
    const { exact } = await api.ask('POST', '/settings?maxPlayers=5&separateWallets=true', { headers });
    expect(exact).toEqual(first);
    expect((await api.ask('GET', '/settings')).exact).toMatchObject({ server: { maxPlayers: 7 } });
    expect(readFileSync(api.file.path, 'utf8')).toContain('"MaxPlayers": 7');
    if (game) expect(api.farm.heard).toEqual([]);
  });

  it('shares its keys with every other request', async () => {
    using directory = temporaryDirectory();
    await using api = await openApi({ directory: directory.path, game });
    await api.ask('POST', '/settings?maxPlayers=5', { headers });
    for (const other of ['/settings?maxPlayers=6', '/time?value=700'])
      expect((await api.ask('POST', other, { headers })).exact).toMatchObject({
        status: 422,
        code: 'idempotency-key-reused',
      });
  });

  it('is new again when the key is forgotten', async () => {
    await using api = await openApi({ game });
    await api.ask('POST', '/settings?maxPlayers=5', { headers });
    api.clock.advance(24 * 60 * 60 * 1_000 + 1);
    if (game) api.farm.tick();
    expect((await api.ask('POST', '/settings?maxPlayers=6', { headers })).statusCode).toBe(200);
  });
});

it('a change of settings whose turn comes when the service stops is not made, as nothing could be kept of it', async () => {
  using directory = temporaryDirectory();
  const kept = { directory: directory.path };
  let operationId: unknown;
  {
    await using api = await openApi(kept);
    api.farm.mood = 'claims-and-is-silent';
    const first = api.ask('POST', '/settings?maxPlayers=5', { headers });
    const second = api.ask('POST', '/settings?maxPlayers=6', { headers: { 'idempotency-key': 'k-2' } });
    await expect.poll(() => api.farm.held).toHaveLength(1);
    await api.bridge.stop();
    expect((await first).exact).toMatchObject({ status: 504, waiting: { restart: ['server.maxPlayers'] } });
    expect((await second).exact).toMatchObject({
      status: 503,
      code: 'game-unavailable',
      detail: expect.stringContaining('stopping'),
    });
    expect(readFileSync(api.file.path, 'utf8')).toContain('"MaxPlayers": 5');
    operationId = (await first).exact['operationId'];
  }
  await using next = await openApi({ ...kept, game: false });
  const again = await next.ask('POST', '/settings?maxPlayers=5', { headers });
  expect(again.exact).toMatchObject({ operationId });
});

describe('what waits for a new game', () => {
  const mine = (farmName: string) => `{ "Game": { "FarmName": "${farmName}" } }`;
  const waiting = async (api: Awaited<ReturnType<typeof openApi>>) =>
    (await api.ask('GET', '/settings')).exact['waiting'];

  it('is told by what the farm was made from, over restarts and without its game', async () => {
    using directory = temporaryDirectory();
    const kept = { directory: directory.path };
    {
      await using api = await openApi({ ...kept, settings: mine('Meadow') });
      expect(await waiting(api)).toEqual({ newGame: [], restart: [] });
    }
    {
      await using api = await openApi({ ...kept, settings: mine('Other'), game: false });
      expect(await waiting(api)).toEqual({ newGame: ['game.farmName'], restart: [] });
      const farm = await api.connect();
      expect(await waiting(api)).toEqual({ newGame: ['game.farmName'], restart: [] });
      // A new farm is made from what its game was told.
      farm.tell({ farm: { farmId: 'Other_1', saveGeneration: 0 } });
      expect(await waiting(api)).toEqual({ newGame: [], restart: [] });
      farm.tell({ farm: null });
      expect(await waiting(api)).toEqual({ newGame: [], restart: [] });
    }
    await using api = await openApi(kept);
    expect(await waiting(api)).toEqual({ newGame: ['game.farmName'], restart: [] });
  });

  it('is nothing where there never was a farm', async () => {
    using directory = temporaryDirectory();
    const kept = { directory: directory.path, game: false };
    {
      await using first = await openApi({ ...kept, settings: mine('Meadow') });
      expect(await waiting(first)).toEqual({ newGame: [], restart: [] });
    }
    await using api = await openApi({ ...kept, settings: mine('Other') });
    expect(await waiting(api)).toEqual({ newGame: [], restart: [] });
  });
});
