import { mkdirSync } from 'node:fs';
import { settledMs } from '@steward/service-kit/settled-time';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { openApi } from './stage/open-api.ts';
import { sharedApi } from './stage/shared-api.ts';

type Api = Awaited<ReturnType<typeof openApi>>;

async function listed(api: Api, query = ''): Promise<readonly Record<string, unknown>[]> {
  const { exact, statusCode } = await api.ask('GET', `/operations${query}`);
  expect(statusCode).toBe(200);
  return exact['operations'] as readonly Record<string, unknown>[];
}

async function idsOf(api: Api, query?: string): Promise<unknown[]> {
  return (await listed(api, query)).map(({ operationId }) => operationId);
}

/** Some with a key and some without, a second apart. */
async function commands(api: Api, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const headers: Record<string, string> = index % 2 === 0 ? {} : { 'idempotency-key': `k-${index}` };
    const { exact } = await api.ask('POST', `/rendering?fps=${index}`, { headers });
    ids.unshift(String(exact['operationId']));
    api.clock.advance(1_000);
    api.farm.tick();
  }
  return ids;
}

it('a retry is known though the clock was set forth by more than a day meanwhile, as at a machine that had started days behind', async () => {
  await using api = await openApi();
  const [first] = await commands(api, 1);
  const write = async () => {
    const headers = { 'idempotency-key': 'k' };
    return (await api.ask('POST', '/rendering?fps=9', { headers })).exact['operationId'];
  };
  const done = await write();
  api.clock.setWallClock(25 * 60 * 60 * 1_000);
  expect(await write()).toBe(done);
  // By then the clock is believed.
  api.clock.advance(settledMs);
  expect(await write()).toBe(done);
  expect(await idsOf(api)).toEqual([done, first]);
});

describe('GET /operations', () => {
  const untouched = sharedApi();

  it('is empty before the first', async () => {
    const api = await untouched();
    expect(await listed(api)).toEqual([]);
  });

  it('lists what became of every command, the newest first, each as it is alone', async () => {
    await using api = await openApi();
    await api.ask('POST', '/roles/admin?name=Bob');
    api.clock.advance(1_000);
    api.farm.tick();
    await api.ask('DELETE', '/farmhands?name=Ann');
    const all = await listed(api);
    expect(all.map(({ command, state }) => [command, state])).toEqual([
      ['deleteFarmhand', 'refused'],
      ['grantAdmin', 'applied'],
    ]);
    for (const one of all)
      expect((await api.ask('GET', `/operations/${one['operationId']}`)).exact).toEqual(one);
  });

  it('those with a key and those without are in one order', async () => {
    await using api = await openApi();
    const ids = await commands(api, 6);
    expect(await idsOf(api)).toEqual(ids);
  });

  it('has a change of settings once, over a restart too, and nothing of one that the game could not be told of', async () => {
    using directory = temporaryDirectory();
    const kept = { directory: directory.path };
    const changed = await (async () => {
      await using api = await openApi(kept);
      const { exact } = await api.ask('POST', '/settings?maxPlayers=5');
      const changed = [exact['operationId']];
      expect(await idsOf(api)).toEqual(changed);
      api.clock.advance(5_000);
      expect((await api.ask('POST', '/settings?maxPlayers=6')).statusCode).toBe(503);
      expect(await idsOf(api)).toEqual(changed);
      return changed;
    })();
    await using api = await openApi({ ...kept, game: false });
    expect(await idsOf(api)).toEqual(changed);
  });

  it('has a change of settings that ended in the game alone, and says so', async () => {
    await using api = await openApi();
    mkdirSync(`${api.file.path}.previous`);
    const { exact } = await api.ask('POST', '/settings?maxPlayers=5');
    expect(await listed(api)).toMatchObject([
      { command: 'applySettings', state: 'void', why: String(exact['detail']) },
    ]);
  });

  it('gives so many as are asked for, and on from one of them', async () => {
    await using api = await openApi();
    const ids = await commands(api, 5);
    expect(await idsOf(api, '?limit=2')).toEqual(ids.slice(0, 2));
    expect(await idsOf(api, `?limit=2&before=${ids[1]}`)).toEqual(ids.slice(2, 4));
    expect(await idsOf(api, `?before=${ids[4]}`)).toEqual([]);
    expect(await idsOf(api, '?limit=1000')).toEqual(ids);
  });

  it('gives 100 where nothing is said', async () => {
    await using api = await openApi();
    const ids = await commands(api, 101);
    expect(await idsOf(api)).toEqual(ids.slice(0, 100));
  });

  it.each([
    ['limit=0', 400, 'invalid-parameter'],
    ['limit=1001', 400, 'invalid-parameter'],
    ['before=abc', 400, 'invalid-parameter'],
    ['before=5', 404, 'operation-not-found'],
  ])('%s is %i %s', async (query, status, code) => {
    const api = await untouched();
    expect((await api.ask('GET', `/operations?${query}`)).exact).toMatchObject({ status, code });
  });
});
