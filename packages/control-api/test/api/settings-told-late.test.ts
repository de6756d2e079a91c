import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import type { ScriptedGame } from '@steward/testing/game/scripted-game';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it, vi } from 'vitest';
import { settled } from '../game/stage/stage.ts';
import { fullGame } from './stage/full-farm.ts';
import { openApi } from './stage/open-api.ts';

type Api = Awaited<ReturnType<typeof openApi>>;

/** Of a busy machine. */
const patience = { timeout: 20_000 };

/**
 * The game takes the change and says nothing of it within its time; returns the problem that its caller is told, with the operation
 * that it names and the one that the game was told by.
 */
async function changeUntold(
  api: Api,
  query: string,
  headers: Record<string, string> = {},
  farm: ScriptedGame = api.farm,
) {
  farm.mood = 'claims-and-is-silent';
  const telling = Promise.withResolvers<string>();
  const unfollow = api.bridge.operations.follow(({ id, state }) => {
    if (state === 'unknown') telling.resolve(id);
  });
  const asked = api.ask('POST', `/settings?${query}`, { headers });
  const { length } = farm.held;
  await vi.waitFor(() => expect(farm.held.length).toBeGreaterThan(length), patience);
  await settled();
  api.clock.advance(10_000);
  farm.tick();
  const { exact } = await asked;
  farm.mood = 'willing';
  const told = await telling.promise;
  unfollow();
  return { ...exact, id: String(exact['operationId']), told };
}

async function operation(api: Api, id: string) {
  return (await api.ask('GET', `/operations/${id}`)).exact;
}

async function settles(api: Api, id: string, state = 'applied'): Promise<void> {
  await vi.waitFor(async () => expect(await operation(api, id)).toMatchObject({ state }), patience);
}

const written = (api: Api) => readFileSync(api.file.path, 'utf8');

const restart = async (api: Api) =>
  ((await api.ask('GET', '/settings')).exact['waiting'] as { restart: string[] }).restart;

describe('a change of settings that the game tells of late', () => {
  it('is in the file with the 504, which lists it as waiting until the game has told, and a retry gets it', async () => {
    await using api = await openApi();
    const headers = { 'idempotency-key': 'k' };
    const { id, told, ...problem } = await changeUntold(api, 'maxPlayers=5', headers);
    expect(problem).toMatchObject({
      status: 504,
      code: 'outcome-unknown',
      applied: null,
      detail: expect.stringMatching(
        /^The settings file has the change, and the game may have it: .* in GET \/settings/,
      ),
      waiting: { restart: ['server.maxPlayers'] },
    });
    expect(written(api)).toContain('"MaxPlayers": 5');
    expect(await restart(api)).toEqual(['server.maxPlayers']);
    const done = { before: { maxPlayers: 10 }, after: { maxPlayers: 5 } };
    // It is the change that is named: the file has it, and a retry gets the same.
    expect(await operation(api, id)).toMatchObject({
      command: 'applySettings',
      state: 'applied',
      before: { server: done.before },
      after: { server: done.after },
    });
    expect(await operation(api, told)).toMatchObject({ state: 'unknown' });
    const early = await api.ask('POST', '/settings?maxPlayers=5', { headers });
    expect(early.exact).toMatchObject({
      ...done,
      operationId: id,
      waiting: { restart: ['server.maxPlayers'] },
    });
    api.farm.held[0]?.();
    await settles(api, told);
    expect(await restart(api)).toEqual([]);
    const again = await api.ask('POST', '/settings?maxPlayers=5', { headers });
    expect(again.exact).toMatchObject({ ...done, operationId: id, waiting: { restart: [] } });
    expect(api.farm.heard).toEqual(['applySettings']);
  });

  it('is told to be in the game alone where the file cannot be put in its place, and is done when it is sent again', async () => {
    await using api = await openApi();
    const headers = { 'idempotency-key': 'k' };
    const blocked = `${api.file.path}.previous`;
    mkdirSync(blocked);
    const problem = await changeUntold(api, 'maxPlayers=5', headers);
    expect(problem).toMatchObject({
      status: 500,
      code: 'settings-unwritable',
      detail: expect.stringMatching(/^The game may have it .*Send the request again$/),
    });
    expect(await operation(api, problem.id)).toMatchObject({ state: 'unknown' });
    expect(written(api)).toContain('"MaxPlayers": 10');
    api.farm.held[0]?.();
    await settles(api, problem.id);
    // They disagree, and it is said.
    expect(await restart(api)).toEqual(['server.maxPlayers']);
    rmdirSync(blocked);
    const again = await api.ask('POST', '/settings?maxPlayers=5', { headers });
    expect(again.exact).toMatchObject({ after: { maxPlayers: 5 }, waiting: { restart: [] } });
    expect(written(api)).toContain('"MaxPlayers": 5');
  });

  it('is what the game is told when it says hello after a restart, whatever its journal says then', async () => {
    using directory = temporaryDirectory();
    const kept = { directory: directory.path };
    const { told, journal } = await (async () => {
      await using api = await openApi(kept);
      const { told } = await changeUntold(api, 'maxPlayers=5&cabinStrategy=None');
      const { journal, held } = api.farm;
      await api.bridge.stop();
      held[0]?.();
      return { told, journal };
    })();
    await using api = await openApi(kept);
    expect(api.farm.settings).toMatchObject({ server: { maxPlayers: 5, cabinStrategy: 'None' } });
    expect(await operation(api, told)).toMatchObject({ state: 'unknown' });
    for (const [command, entry] of journal) api.farm.journal.set(command, entry);
    api.clock.advance(1_000);
    await settles(api, told);
    // What it said of its time before the hello is no longer so.
    expect(await restart(api)).toEqual([]);
  });

  it('counts no more once the game has said hello again', async () => {
    await using api = await openApi({ game: false });
    const end = api.mode.connect();
    const lost = fullGame(['applySettings']);
    void lost.connect(end.stream);
    await settled();
    const { told } = await changeUntold(api, 'maxPlayers=5', {}, lost);
    end.cut();
    await vi.waitFor(() => expect(api.bridge.state.link.status).toBe('gone'), patience);
    await api.ask('POST', '/settings?maxPlayers=6');
    lost.held[0]?.();
    const farm = await api.connect();
    for (const [command, entry] of lost.journal) farm.journal.set(command, entry);
    api.clock.advance(1_000);
    await settles(api, told);
    expect(await restart(api)).toEqual([]);
  });

  it('leaves what was asked for since, and says where the game has something else', async () => {
    await using api = await openApi();
    const { told } = await changeUntold(api, 'maxPlayers=5&networkBroadcastPeriod=2&lobbyMode=Individual');
    await api.ask('POST', '/settings?maxPlayers=10');
    await api.file.replace(
      written(api).replace('"NetworkBroadcastPeriod": 2', '"NetworkBroadcastPeriod": 3'),
    );
    const before = written(api);
    api.farm.held[0]?.();
    await settles(api, told);
    expect(written(api)).toBe(before);
    for (const line of ['"MaxPlayers": 10', '"NetworkBroadcastPeriod": 3', '"LobbyMode": "Individual"'])
      expect(before).toContain(line);
    expect(await restart(api)).toContain('server.maxPlayers');
  });

  it('and another that is told late: the one that was asked for last counts', async () => {
    await using api = await openApi();
    const asked = [await changeUntold(api, 'maxPlayers=5'), await changeUntold(api, 'maxPlayers=7')];
    for (const [turn, { told }] of asked.entries()) {
      api.farm.held[turn]?.();
      await settles(api, told);
    }
    expect(written(api)).toContain('"MaxPlayers": 7');
    expect(await restart(api)).toEqual([]);
  });

  it('waits for a restart of the game where it says late that it will not have it', async () => {
    await using api = await openApi();
    const { told } = await changeUntold(api, 'maxPlayers=5');
    api.farm.held[0]?.({ code: 'failed', message: 'the disk is gone' });
    await settles(api, told, 'refused');
    expect(written(api)).toContain('"MaxPlayers": 5');
    expect(await restart(api)).toEqual(['server.maxPlayers']);
  });
});

it('what somebody writes into the file while the game takes its time stays there', async () => {
  await using api = await openApi();
  const { farm, clock } = api;
  farm.mood = 'claims-and-is-silent';
  const asked = api.ask('POST', '/settings?maxPlayers=7');
  await vi.waitFor(() => expect(farm.held).toHaveLength(1), patience);
  await settled();
  const edited = `// by hand\n${written(api).replace(/("VerboseLogging": )false/, '$1true')}`;
  writeFileSync(api.file.path, edited);
  clock.advance(10_000);
  farm.tick();
  expect((await asked).exact).toMatchObject({ code: 'outcome-unknown' });
  expect(written(api)).toMatch(/^\/\/ by hand\n/);
  expect(JSON.parse(written(api).replace(/^.*\n/, ''))).toMatchObject({
    Server: { MaxPlayers: 7, VerboseLogging: true },
  });
});
