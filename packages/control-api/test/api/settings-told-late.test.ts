import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it, vi } from 'vitest';
import { settled } from '../game/stage/stage.ts';
import { openApi } from './stage/open-api.ts';

type Api = Awaited<ReturnType<typeof openApi>>;

/** Of a busy machine. */
const patience = { timeout: 20_000 };

/** The game takes the change and says nothing of it within its time. */
async function changeUntold(api: Api, query: string, headers: Record<string, string> = {}): Promise<string> {
  api.farm.mood = 'claims-and-is-silent';
  const asked = api.ask('POST', `/settings?${query}`, { headers });
  const { length } = api.farm.held;
  await vi.waitFor(() => expect(api.farm.held.length).toBeGreaterThan(length), patience);
  await settled();
  api.clock.advance(10_000);
  api.farm.tick();
  const { exact } = await asked;
  expect(exact).toMatchObject({ status: 504, code: 'outcome-unknown', applied: null });
  api.farm.mood = 'willing';
  return String(exact['operationId']);
}

async function state(api: Api, id: string): Promise<string> {
  return String((await api.ask('GET', `/operations/${id}`)).exact['state']);
}

async function settles(api: Api, id: string): Promise<void> {
  await vi.waitFor(async () => expect(await state(api, id)).toBe('applied'), patience);
}

const written = (api: Api) => readFileSync(api.file.path, 'utf8');

describe('a change of settings that the game tells of late', () => {
  it('is written to the file, and a retry gets the first answer', async () => {
    await using api = await openApi();
    const headers = { 'idempotency-key': 'k' };
    const id = await changeUntold(api, 'maxPlayers=5', headers);
    expect(written(api)).toContain('"MaxPlayers": 10');
    api.farm.held[0]?.();
    await settles(api, id);
    expect(written(api)).toContain('"MaxPlayers": 5');
    const { exact } = await api.ask('GET', '/settings');
    expect(exact).toMatchObject({ server: { maxPlayers: 5 }, waiting: { restart: [] } });
    const again = await api.ask('POST', '/settings?maxPlayers=5', { headers });
    expect(again.exact).toMatchObject({
      operationId: id,
      before: { maxPlayers: 10 },
      after: { maxPlayers: 5 },
    });
    expect(api.farm.heard).toEqual(['applySettings']);
  });

  it('is not applied before the file is written, and is tried again until it is', async () => {
    await using api = await openApi();
    const id = await changeUntold(api, 'maxPlayers=5');
    const blocked = `${api.file.path}.previous.new`;
    mkdirSync(blocked);
    api.farm.held[0]?.();
    await vi.waitFor(async () => {
      const { exact } = await api.ask('GET', `/operations/${id}`);
      expect(exact).toMatchObject({ state: 'unknown', why: expect.stringContaining('cannot be written') });
    }, patience);
    rmdirSync(blocked);
    api.clock.advance(1_000);
    await vi.waitFor(async () => {
      api.clock.advance(1_000);
      expect(await state(api, id)).toBe('applied');
    }, patience);
    expect(written(api)).toContain('"MaxPlayers": 5');
  });

  it('is written after a restart, too, when the game’s journal knows it', async () => {
    using directory = temporaryDirectory();
    const kept = { directory: directory.path };
    const { id, journal } = await (async () => {
      await using api = await openApi(kept);
      const id = await changeUntold(api, 'maxPlayers=5&lobbyMode=Individual');
      const { journal, held } = api.farm;
      await api.bridge.stop();
      held[0]?.();
      return { id, journal };
    })();
    await using api = await openApi(kept);
    expect(await state(api, id)).toBe('unknown');
    for (const [command, entry] of journal) api.farm.journal.set(command, entry);
    api.clock.advance(1_000);
    await settles(api, id);
    expect(written(api)).toContain('"MaxPlayers": 5');
    // It has said hello since, and was told what stood in the file then.
    expect((await api.ask('GET', '/settings')).exact).toMatchObject({
      server: { maxPlayers: 5, lobbyMode: 'Individual' },
      waiting: { restart: ['server.maxPlayers', 'server.lobbyMode'] },
    });
  });

  it('leaves what was asked for since, and writes the rest', async () => {
    await using api = await openApi();
    const id = await changeUntold(api, 'maxPlayers=5&networkBroadcastPeriod=2&lobbyMode=Individual');
    // To what it was before: a decision nevertheless.
    await api.ask('POST', '/settings?maxPlayers=10');
    await api.file.replace(
      written(api).replace('"NetworkBroadcastPeriod": 1', '"NetworkBroadcastPeriod": 3'),
    );
    api.farm.held[0]?.();
    await settles(api, id);
    expect((await api.ask('GET', '/settings')).exact).toMatchObject({
      server: { maxPlayers: 10, networkBroadcastPeriod: 3, lobbyMode: 'Individual' },
    });
    expect(written(api)).toContain('"NetworkBroadcastPeriod": 3');
  });

  it('and another that is told late: the one that was asked for last counts', async () => {
    await using api = await openApi();
    const first = await changeUntold(api, 'maxPlayers=5');
    const second = await changeUntold(api, 'maxPlayers=7');
    for (const [told, id] of [first, second].entries()) {
      api.farm.held[told]?.();
      await settles(api, id);
    }
    expect(written(api)).toContain('"MaxPlayers": 7');
  });
});
