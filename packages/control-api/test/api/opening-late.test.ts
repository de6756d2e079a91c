import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { timestampOf } from '@steward/shared/wire-values';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { openAgainMs } from '../../src/store/store.ts';
import { Client } from '../chat/stage/client.ts';
import { settled } from '../game/stage/stage.ts';
import { openedStore } from '../store/opened-store.ts';
import { openApi } from './stage/open-api.ts';

/** An API over a farm whose database is out of its way until `fix`. */
async function openOutOfTheWay(directory: string) {
  const [path, away] = [join(directory, 'steward.db'), join(directory, 'away')];
  renameSync(path, away);
  mkdirSync(path);
  const api = await openApi({ directory });
  api.watch();
  return Object.assign(api, {
    async fix() {
      rmdirSync(path);
      renameSync(away, path);
      api.clock.advance(openAgainMs - 1);
      api.farm.tick();
      await settled();
      api.clock.advance(1);
      await vi.waitFor(async () =>
        expect((await api.ask('GET', '/metrics')).body).toContain('steward_state_unreadable 0'),
      );
    },
  });
}

const headers = { 'idempotency-key': 'k-1' };

it('a database that comes late has its keys known again, its commands told, and its obstacle gone', async () => {
  using directory = temporaryDirectory();
  let first: unknown;
  {
    await using before = await openApi({ directory: directory.path });
    first = (await before.ask('POST', '/time?value=700', { headers })).exact['operationId'];
  }
  await using api = await openOutOfTheWay(directory.path);
  expect((await api.ask('POST', '/time?value=700', { headers })).exact).toMatchObject({
    status: 503,
    code: 'state-unreadable',
  });
  const meanwhile = (await api.ask('POST', '/time?value=800')).exact['operationId'];
  expect((await api.ask('GET', `/operations/${first}`)).statusCode).toBe(404);
  const obstacles = [{ code: 'state-unreadable', remedy: expect.stringContaining('recovers by itself') }];
  for (const path of ['/status', '/health/ready'])
    expect((await api.ask('GET', path)).exact).toMatchObject({ obstacles });
  await api.fix();
  expect((await api.ask('GET', '/health/ready')).exact).toMatchObject({ ready: true, obstacles: [] });
  await vi.waitFor(async () =>
    expect((await api.ask('POST', '/time?value=700', { headers })).exact).toMatchObject({
      operationId: first,
    }),
  );
  const { exact } = await api.ask('GET', '/operations');
  const ids = (exact['operations'] as { operationId: string }[]).map(({ operationId }) => operationId);
  expect(ids).toEqual(expect.arrayContaining([first, meanwhile]));
});

it('a database that comes late has its open commands settled: by the game, and by the file of the farm', async () => {
  using directory = temporaryDirectory();
  const at = timestampOf(new ManualClock().date());
  const common = { state: 'claimed', createdAt: at, changedAt: at, fingerprint: 'f' } as const;
  const open = [
    { id: '1', command: 'setTime', ...common },
    { id: '2', command: 'rebindFarmhand', farmId: 'Sunnybrook_398472611', ...common },
  ] as const;
  {
    const { store } = openedStore(directory.path, { clock: new ManualClock() });
    for (const each of open) await store.operations().write(each);
    await store.close();
  }
  await using api = await openOutOfTheWay(directory.path);
  api.farm.journal.set('1', { outcome: 'applied', before: { timeOfDay: 600 }, after: { timeOfDay: 700 } });
  await api.fix();
  for (const [id, state] of [
    ['1', 'applied'],
    ['2', 'void'],
  ])
    await vi.waitFor(async () =>
      expect((await api.ask('GET', `/operations/${id}`)).exact).toMatchObject({ state }),
    );
});

it('who listens while the database comes late hears nothing of before it, and is told of a gap', async () => {
  using directory = temporaryDirectory();
  const say = (api: Awaited<ReturnType<typeof openApi>>, message: string) =>
    api.bridge.events.append({ type: 'chat.said', data: { playerId: '5512', playerName: 'Ann', message } });
  let cursor: string;
  {
    await using before = await openApi({ directory: directory.path });
    cursor = before.bridge.events.head;
    for (let line = 0; line < 50; line += 1) say(before, `before ${line}`);
  }
  await using api = await openOutOfTheWay(directory.path);
  const { port } = await api.listen();
  const early = await Client.open(`ws://127.0.0.1:${port}/ws`);
  const known = await Client.open(`ws://127.0.0.1:${port}/ws`);
  await api.fix();
  early.send({ type: 'resume', payload: {} });
  const { payload } = await early.next('resumed');
  known.send({ type: 'resume', payload: { cursor } });
  expect((await known.next('resumed')).payload).toMatchObject({ missed: 0, gap: true });
  const again = await Client.open(`ws://127.0.0.1:${port}/ws`);
  again.send({ type: 'resume', payload: { cursor: payload.cursor } });
  expect((await again.next('resumed')).payload).toMatchObject({ missed: 0, gap: true });
  const late = await Client.open(`ws://127.0.0.1:${port}/ws`);
  late.send({ type: 'resume', payload: { cursor } });
  expect((await late.next('resumed')).payload).toMatchObject({ missed: 50, gap: true });
});
