import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { largestPictureBytes } from '@steward/shared/bridge/farms';
import { eventually } from '@steward/testing/eventually';
import { dotPng } from '@steward/testing/game/farms';
import { describe, expect, it } from 'vitest';
import type { GameBridge } from '../../src/game/game-bridge.ts';
import type { OperationState } from '../../src/game/operations/operation.ts';
import { openApi } from '../api/stage/open-api.ts';
import { keysForQueries } from '../api/stage/operations.ts';
import { PlayedArchivist } from '../backups/stage/played-archivist.ts';
import { restoreStage } from '../backups/stage/restore-stage.ts';
import { ExistingStage } from '../game/stage/existing-stage.ts';
import { MemoryStore } from '../game/stage/memory-store.ts';
import { stateThat } from '../game/stage/process-stage.ts';
import { hello, settled } from '../game/stage/stage.ts';

type Api = Awaited<ReturnType<typeof openApi>>;

const first = 'Sunnybrook_398472611';
const { fault: _, ...stage } = keysForQueries;

async function farms(api: Api) {
  const { exact } = await api.ask('GET', '/farms');
  return (exact['farms'] as { id: string; isLoaded: boolean }[]).map(
    ({ id, isLoaded }) => `${id}${isLoaded ? ' loaded' : ''}`,
  );
}

async function owned(api: Api) {
  const { exact } = await api.ask('GET', '/farmhands');
  return (exact['farmhands'] as { name: string; owned: boolean }[]).flatMap((each) =>
    each.owned ? [each.name] : [],
  );
}

/** In which state an operation is once it goes on no more. */
async function ended({ operations }: Pick<GameBridge, 'operations'>, id: string): Promise<OperationState> {
  return await new Promise((resolve) => {
    const look = ({ id: of, state }: { readonly id: string; readonly state: OperationState }) => {
      if (of === id && state !== 'claimed') resolve(state);
    };
    operations.follow(look);
    look(operations.find(id) ?? { id, state: 'claimed' });
  });
}

/** What came of a change that is asked for here, as its operation tells in the end. */
async function change(api: Api, path: string) {
  const { exact, statusCode } = await api.ask('POST', path);
  expect(statusCode).toBe(202);
  const id = String(exact['operationId']);
  await ended(api.bridge, id);
  return (await api.ask('GET', `/operations/${id}`)).exact;
}

function told(api: Api): string[] {
  const types: string[] = [];
  api.bridge.events.follow(({ event: { type } }) => types.push(type));
  return types;
}

describe('a new farm', () => {
  it('is made from the settings and what is named, once who plays is gone and the old one is saved and backed up', async () => {
    await using api = await openApi(stage);
    const types = told(api);
    const { state, before, after } = await change(
      api,
      '/farms?farmName=Riverbend&startingCabins=3&seconds=0',
    );
    expect({ state, before, after }).toEqual({
      state: 'applied',
      before: { farmId: first },
      after: {
        farmId: 'Founded_1',
        farmName: 'Riverbend',
        isSaved: true,
        backupId: expect.stringMatching(/Z-/),
      },
    });
    expect(api.farm.state.players).toEqual([]);
    expect(api.farm.heard.slice(-3)).toEqual(['kick', 'save', 'newFarm']);
    expect(await farms(api)).toEqual(['Founded_1 loaded', first]);
    const kept = readdirSync(join(api.directory, 'backups'));
    expect(kept).toContain(`${(after as { backupId: string }).backupId}.steward.tar.zst`);
    expect(types.filter((type) => /farm\.loaded|backups\.made|drainEnded/.test(type))).toEqual([
      'backups.made',
      'farm.loaded',
      'server.drainEnded',
    ]);
    expect(api.settings.view.madeFrom).toMatchObject({ farmName: 'Riverbend', startingCabins: 3 });
  });

  it('is made at once by a game that has none loaded, which is asked for no save of it', async () => {
    await using api = await openApi(stage);
    const { state: shown } = api.farm;
    Object.assign(shown, { farm: null, players: [], farmhands: [] });
    Object.assign(shown.status, { isOnline: false, playerCount: 0 });
    api.farm.tell();
    await stateThat(api.bridge, ({ sections }) => sections.farm === null);
    const { state, after } = await change(api, '/farms?farmName=Riverbend');
    expect({ state, after }).toEqual({
      state: 'applied',
      after: { farmId: 'Founded_1', farmName: 'Riverbend', isSaved: true },
    });
    expect(api.farm.heard).toContain('newFarm');
    expect(api.farm.heard).not.toContain('save');
  });

  it('that players are told of is answered 202, and they may finish until the countdown is over', async () => {
    await using api = await openApi(stage);
    const asking = api.ask('POST', '/farms/load?id=Founded_1&seconds=60');
    expect((await asking).exact).toMatchObject({ code: 'farm-not-found' });
    const { exact, statusCode } = await api.ask('POST', '/farms?seconds=60&message=It+is+Friday');
    expect(statusCode).toBe(202);
    await settled();
    expect(api.farm.said.map(({ message }) => message)).toEqual([
      'The server restarts in 1 minute: please finish now (It is Friday)',
    ]);
    expect((await api.ask('GET', '/drain')).exact).toMatchObject({
      draining: { phase: 'counting', operationId: exact['operationId'] },
    });
    expect((await api.ask('POST', '/farms')).exact).toMatchObject({ code: 'drain-under-way' });
    // Until the game is told, nothing is lost by calling it off.
    await api.ask('DELETE', '/drain');
    const { exact: operation } = await api.ask('GET', `/operations/${exact['operationId']}`);
    expect(operation).toMatchObject({ state: 'void' });
    expect(api.farm.heard).not.toContain('newFarm');
    expect(await farms(api)).toEqual([`${first} loaded`]);
  });
});

it('a change waits for a backup that is under way: who plays is gone for it by then', async () => {
  const archivist = new PlayedArchivist();
  await using api = await openApi({ ...stage, archivist });
  const { promise, resolve } = Promise.withResolvers<void>();
  archivist.meanwhile = (time) => (time === 1 ? promise : undefined);
  const backup = api.ask('POST', '/backups');
  await archivist.firstBegun;
  api.bridge.operations.follow(({ command, step }) => {
    // It has got as far as its own backup by then.
    if (command === 'createFarm' && step === 'backing-up') setImmediate(resolve);
  });
  const { state, after } = await change(api, '/farms?seconds=0');
  expect(state).toBe('applied');
  expect(await backup).toMatchObject({ statusCode: 200 });
  // The other one, of the same hour, may have been thinned out by it.
  const { backupId } = after as { backupId: string };
  expect(readdirSync(join(api.directory, 'backups'))).toContain(`${backupId}.steward.tar.zst`);
});

it('a change that players are told of ends with the service, and the game hears nothing of it', async () => {
  await using api = await openApi(stage);
  const { exact } = await api.ask('POST', '/farms?seconds=60');
  await api.stop();
  expect(api.bridge.operations.find(String(exact['operationId']))).toMatchObject({ state: 'void' });
  expect(api.farm.heard).not.toContain('newFarm');
});

it('a change that the game has made is done for a service that stops, though the farm was not shown yet', async () => {
  await using api = await openApi({ ...stage, fault: 'half-a-farm' });
  await change(api, '/farms?seconds=0');
  const { exact } = await api.ask('POST', `/farms/load?id=${first}&seconds=0`);
  await stateThat(api.bridge, ({ sections }) => sections.farm?.farmId === first);
  expect(api.bridge.state.isWhole).toBe(false);
  await api.stop();
  expect(api.bridge.operations.find(String(exact['operationId']))).toMatchObject({
    state: 'applied',
    outcome: { after: { farmId: first } },
  });
});

it('a change of an existing server, which tells no id of its farm, is done as soon as that shows it', async () => {
  await using existing = new ExistingStage();
  const { origin } = await existing.server();
  const environment = { GAME_BRIDGE: 'existing', EXISTING_URL: origin, EXISTING_API_KEY: 'k' };
  await using api = await restoreStage({ environment });
  await api.live();
  const { status, body } = await api.ask('POST', '/farms/load?id=loaded&force=true');
  expect(status).toBe(202);
  expect(await ended(api.service.bridge, String(body['operationId']))).toBe('applied');
  // A farm that is not shown is waited for twice as long.
}, 30_000);

it('a new farm of an existing server has what that server says of it, also where one setting has another form there', async () => {
  await using existing = new ExistingStage();
  const { farm, origin } = await existing.server();
  const theirs = { farmType: 5, startingCabins: 4, profitMargin: 0.75 };
  Object.assign(farm.gameSettings, theirs, { spawnMonstersAtNight: 'Auto' });
  const environment = { GAME_BRIDGE: 'existing', EXISTING_URL: origin, EXISTING_API_KEY: 'k' };
  await using api = await restoreStage({ environment });
  await api.live();
  const { body } = await api.ask('POST', '/farms?farmName=Riverbend&force=true');
  expect(await ended(api.service.bridge, String(body['operationId']))).toBe('applied');
  expect(farm.askedWorld).toEqual({ farmName: 'Riverbend', ...theirs });
});

it('a change of an existing server that is forced ends with a service that stops while the farm is backed up', async () => {
  const slow = new PlayedArchivist();
  slow.meanwhile = (_time, signal) =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve());
    });
  await using existing = new ExistingStage();
  const server = await existing.server();
  const environment = { GAME_BRIDGE: 'existing', EXISTING_URL: server.origin, EXISTING_API_KEY: 'k' };
  await using api = await restoreStage({ environment, archivist: slow });
  mkdirSync(join(api.places.saves, first));
  for (const file of [first, 'SaveGameInfo']) writeFileSync(join(api.places.saves, first, file), '<Farm/>');
  await api.live();
  const { body } = await api.ask('POST', '/farms?force=true');
  await slow.firstBegun;
  await api.stop();
  expect(api.service.bridge.operations.find(String(body['operationId']))).toMatchObject({ state: 'void' });
});

it('a change of which the game does not say how it ended stays unknown, and a retry makes no second farm', async () => {
  await using api = await openApi(stage);
  const { run } = api.bridge;
  Object.assign(api.bridge, {
    run: async (...[command, options]: Parameters<typeof run>) => {
      if (command.name === 'newFarm') api.farm.mood = 'claims-and-is-silent';
      return run.call(api.bridge, command, options);
    },
  });
  const headers = { 'idempotency-key': 'k' };
  const { exact } = await api.ask('POST', '/farms?seconds=0', { headers });
  const operation = () => api.bridge.operations.find(String(exact['operationId']));
  await eventually(async () => api.farm.heard.includes('newFarm') || undefined, {
    missing: () => 'the game was never told',
  });
  await settled();
  api.gameGoes();
  await eventually(async () => operation()?.state !== 'claimed' || undefined, {
    missing: () => 'it never ended',
  });
  expect(operation()).toMatchObject({ state: 'unknown', why: expect.stringContaining('GET /farms') });
  const back = await api.connect();
  const again = await api.ask('POST', '/farms?seconds=0', { headers });
  expect(again.exact['operationId']).toBe(exact['operationId']);
  await settled();
  expect(api.farm.heard.filter((command) => command === 'newFarm')).toHaveLength(1);
  expect(back.heard).not.toContain('newFarm');
});

describe('what is called off', () => {
  it('while the farm is backed up stays undone, and players come in at once', async () => {
    const archivist = new PlayedArchivist();
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
    archivist.meanwhile = () => mayGoOn;
    await using api = await openApi({ ...stage, archivist });
    const { exact } = await api.ask('POST', '/farms?seconds=0');
    await archivist.firstBegun;
    expect((await api.ask('DELETE', '/drain')).statusCode).toBe(200);
    expect((await api.ask('GET', '/drain')).exact).not.toHaveProperty('draining');
    expect((await api.ask('GET', `/operations/${exact['operationId']}`)).exact).toMatchObject({
      state: 'void',
      why: 'it was cancelled: players can join again',
    });
    goOn();
    await eventually(
      async () => ((await api.ask('GET', '/backups')).exact['backups'] as unknown[]).length > 0 || undefined,
      { missing: () => 'the backup never came to its end' },
    );
    await settled();
    expect(api.farm.heard).not.toContain('newFarm');
  });

  it('once the game was told is none any more, and says so', async () => {
    await using api = await openApi(stage);
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
    const { run } = api.bridge;
    Object.assign(api.bridge, {
      run: async (...[command, options]: Parameters<typeof run>) => {
        if (command.name === 'newFarm') await mayGoOn;
        return run.call(api.bridge, command, options);
      },
    });
    const changed = change(api, '/farms?seconds=0');
    const switching = () => api.bridge.operations.list(10)?.find(({ step }) => step === 'switching');
    const { id } = await eventually(async () => switching(), { missing: () => 'the game was never told' });
    const { exact, statusCode } = await api.ask('DELETE', '/drain');
    expect([statusCode, exact['code']]).toEqual([404, 'drain-not-found']);
    expect(exact['detail']).toContain('the task that needed this is running');
    const remedy = `Nothing to do: it ends by itself. GET /operations/${id} shows how`;
    const { exact: readiness } = await api.ask('GET', '/health/ready');
    expect(readiness['obstacles']).toContainEqual(expect.objectContaining({ code: 'draining', remedy }));
    goOn();
    expect(await changed).toMatchObject({ state: 'applied' });
  });

  it('before anybody was told that it had begun is answered as what had', async () => {
    const store = new MemoryStore();
    await using api = await openApi({ ...stage, store });
    const { promise: written, resolve } = Promise.withResolvers<void>();
    const asking = api.ask('POST', '/farms?seconds=60');
    store.slow = written;
    await eventually(async () => 'draining' in (await api.ask('GET', '/drain')).exact || undefined, {
      missing: () => 'nobody is seen off',
    });
    const ending = api.ask('DELETE', '/drain');
    await settled();
    resolve();
    expect([(await asking).statusCode, (await ending).statusCode]).toEqual([202, 200]);
  });
});

describe('another farm', () => {
  it('is gone on to and back again, and each has its own owners', async () => {
    await using api = await openApi(stage);
    await api.ask('POST', '/farmhands/rebind?name=Bob&identity=46265193014');
    await change(api, '/farms?seconds=0');
    await settled();
    expect(await owned(api)).toEqual([]);
    expect(await change(api, `/farms/load?id=${first}&seconds=0`)).toMatchObject({
      after: { farmId: first, farmName: 'Sunnybrook' },
    });
    expect(await farms(api)).toEqual([`${first} loaded`, 'Founded_1']);
    await eventually(async () => (await owned(api)).includes('Bob') || undefined, {
      missing: () => 'the owners of the first farm never came back',
    });
  });

  it('is not gone on to where the one before cannot be backed up, unless that is meant', async () => {
    await using api = await openApi();
    const { exact } = await api.ask('POST', '/farms?seconds=0');
    expect(exact).toMatchObject({ code: 'backups-off', detail: expect.stringContaining('force=true') });
    expect(api.farm.heard).not.toContain('kick');
    const { after } = await change(api, '/farms?seconds=0&force=true');
    expect(after).toMatchObject({ farmId: 'Founded_1' });
    expect(after).not.toHaveProperty('backupId');
  });

  it('is not gone on to where the game refuses, and players come in again', async () => {
    await using api = await openApi(stage);
    api.farm.state.players = [];
    api.farm.tell();
    await settled();
    api.farm.mood = { refuses: 'failed', message: 'The disk of the game is full' };
    expect(await change(api, '/farms?seconds=0')).toMatchObject({
      state: 'void',
      why: 'The disk of the game is full',
    });
    expect((await api.ask('GET', '/drain')).exact).not.toHaveProperty('draining');
    expect(await farms(api)).toEqual([`${first} loaded`]);
  });
});

it.each(['/farms', '/screenshot'])('a game that cannot tell is 501 at %s, and none is 503', async (path) => {
  await using api = await openApi({ capabilities: ['save'] });
  expect((await api.ask('GET', path)).exact).toMatchObject({ code: 'not-supported-by-game' });
  await using alone = await openApi({ game: false });
  expect((await alone.ask('GET', path)).exact).toMatchObject({ code: 'game-unavailable', retry: true });
});

/** Counts what the game is asked for from now on. */
function asking(api: Api) {
  const { ask } = api.bridge;
  const counted = { times: 0 };
  Object.assign(api.bridge, {
    ask: (...asked: Parameters<typeof ask>) => {
      counted.times += 1;
      return ask.apply(api.bridge, asked);
    },
  });
  return counted;
}

describe('GET /farms', () => {
  it('asks the game once for all who ask within a few seconds', async () => {
    await using api = await openApi(stage);
    const asked = asking(api);
    expect(await Promise.all([farms(api), farms(api)])).toEqual([[`${first} loaded`], [`${first} loaded`]]);
    await farms(api);
    expect(asked.times).toBe(1);
    api.clock.advance(3_000);
    await farms(api);
    expect(asked.times).toBe(2);
  });

  it('has the farm that is played since a change at once', async () => {
    await using api = await openApi(stage);
    expect(await farms(api)).toEqual([`${first} loaded`]);
    await change(api, '/farms?seconds=0');
    expect(await farms(api)).toEqual(['Founded_1 loaded', first]);
    await change(api, `/farms/load?id=${first}&seconds=0`);
    expect(await farms(api)).toEqual([`${first} loaded`, 'Founded_1']);
  });
});

describe('GET /screenshot', () => {
  it('is a PNG, which stands for a few seconds', async () => {
    await using api = await openApi();
    const asked = asking(api);
    const [one, other] = await Promise.all([api.ask('GET', '/screenshot'), api.ask('GET', '/screenshot')]);
    expect([one.headers['content-type'], other.statusCode]).toEqual(['image/png', 200]);
    expect(one.body).toContain('PNG');
    expect(asked.times).toBe(1);
    api.clock.advance(3_000);
    await api.ask('GET', '/screenshot');
    expect(asked.times).toBe(2);
  });

  it('is none where the game sends something else', async () => {
    await using api = await openApi({ fault: 'no-png' });
    expect((await api.ask('GET', '/screenshot')).exact).toMatchObject({ code: 'command-failed' });
  });

  it.each([
    [0, 'image/png'],
    [1, 'command-failed'],
    // Its text is longer than that of any picture.
    [3, 'game-unavailable'],
  ])('is of 700 KiB at most: of one that has %i bytes more, the answer is %s', async (more, told) => {
    await using api = await openApi({ game: false });
    const game = api.mode.connect();
    game.say({ ...hello, params: { ...hello.params, capabilities: ['screenshot'] } });
    await settled();
    const asking = api.ask('GET', '/screenshot');
    let id: unknown;
    while (id === undefined) {
      await settled();
      id = game.heard().find(({ method }) => method === 'screenshot')?.['id'];
    }
    const picture = Buffer.alloc(largestPictureBytes + more);
    Buffer.from(dotPng, 'base64').copy(picture, 0, 0, 8);
    game.say({ jsonrpc: '2.0', id, result: { png: picture.toString('base64') } });
    const { exact, headers } = await asking;
    expect(exact?.['code'] ?? headers['content-type']).toBe(told);
  });
});

it('GET /game/log has what a game that is started here has printed; of any other it says where to look', async () => {
  await using api = await openApi();
  expect((await api.ask('GET', '/game/log')).exact).toMatchObject({
    lines: [{ stream: 'stderr', text: 'The farm is open' }],
  });
  delete api.mode.output;
  expect((await api.ask('GET', '/game/log')).exact).toMatchObject({
    code: 'not-supported-by-game',
    detail: expect.stringContaining('docker compose logs'),
  });
});
