import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemCodes } from '@steward/shared/problems/problem-codes';
import { eventually } from '@steward/testing/eventually';
import { expect, it } from 'vitest';
import { courseLimits } from '../../src/drain/course.ts';
import { refuseDrain } from '../../src/drain/standing.ts';
import { closedWords } from '../../src/drain/words.ts';
import { returnMs } from '../../src/game/awaited.ts';
import { fullFarm } from '../api/stage/full-farm.ts';
import { openApi } from '../api/stage/open-api.ts';
import { restoreStage } from '../backups/stage/restore-stage.ts';
import { ExistingStage } from '../game/stage/existing-stage.ts';
import { stateThat } from '../game/stage/process-stage.ts';
import { hello, settled } from '../game/stage/stage.ts';
import { begun, type DrainStage, drainStage } from './drain-stage.ts';

const minute = 60_000;

const calledOff = 'Let players in again on the page, or with DELETE /drain';

const noteOf = ({ directory }: DrainStage) => join(directory.path, 'drain.json');

it('is refused where what waits cannot be kept, and then nothing is in the way of anybody', async () => {
  using stage = await drainStage({ players: 1, isDiskFull: true });
  await expect(stage.drains.start({ when: 'empty' }, undefined)).rejects.toMatchObject({
    code: 'state-unwritable',
  });
  expect([await stage.knocks(), stage.drains.standing]).toEqual([true, undefined]);
  // What ends at once has nothing to outlive.
  await begun(stage, { when: 'now', seconds: 5 });
  await stage.pass(6_000);
  await stage.isIn('stopped');
});

it.each(['now', 'empty', 'day-end'] as const)(
  'is refused where no claim could be kept by which players are disconnected and the game saves: %s',
  async (when) => {
    using stage = await drainStage({ players: 1 });
    stage.store.full = true;
    expect(await stage.drains.start({ when }, undefined)).toMatchObject({
      operation: {
        state: 'void',
        notDurable: true,
        why: expect.stringMatching(/^STATE_DIR cannot be written/),
      },
    });
    expect([await stage.knocks(), stage.drains.standing, stage.phases()]).toEqual([true, undefined, []]);
    expect(existsSync(noteOf(stage))).toBe(false);
  },
);

it('leaves no note of one that is over once the disk lets it be taken away, and takes away none that waits by then', async () => {
  using stage = await drainStage({ players: 1 });
  await begun(stage, { when: 'empty', minutes: 30, seconds: 0 });
  const note = readFileSync(noteOf(stage));
  // A directory stands for a disk from which nothing can be taken away: root may do the rest.
  const inTheWay = () => {
    rmSync(noteOf(stage));
    mkdirSync(join(noteOf(stage), 'in the way'), { recursive: true });
  };
  const asBefore = () => {
    rmSync(noteOf(stage), { recursive: true });
    writeFileSync(noteOf(stage), note);
  };
  inTheWay();
  await stage.drains.end(undefined);
  asBefore();
  await stage.pass(4_000);
  expect(existsSync(noteOf(stage))).toBe(true);
  await stage.pass(1_000);
  await eventually(async () => (existsSync(noteOf(stage)) ? undefined : true), { missing: () => 'it stays' });
  await begun(stage, { when: 'empty', minutes: 1, seconds: 20 });
  inTheWay();
  // Once as it begins to count, and once as it ends.
  await stage.pass(minute);
  await stage.isIn('counting');
  await stage.drains.end(undefined);
  asBefore();
  await begun(stage, { when: 'empty', minutes: 30, seconds: 0 });
  await stage.pass(60_000);
  expect(existsSync(noteOf(stage))).toBe(true);
});

it('that waits for a disk which hangs to keep its beginning is called off at once', async () => {
  using stage = await drainStage({ players: 1, hasDisk: false });
  const { promise, resolve: goesOn } = Promise.withResolvers<void>();
  stage.store.slow = promise;
  const started = stage.drains.start({ when: 'now' }, undefined);
  await stage.calm();
  expect(stage.phases()).toEqual([]);
  await stage.drains.stop();
  expect(stage.drains.standing).toBeUndefined();
  goesOn();
  expect(await started).toMatchObject({ operation: { state: 'void', why: 'the service stops' } });
  expect(stage.phases()).toEqual([]);
});

it.each([
  { when: 'now', seconds: 5 },
  { when: 'empty', minutes: 1, seconds: 5 },
  { when: 'day-end', minutes: 1, seconds: 5, restart: true },
] as const)(
  'stops no game that disconnects and saves nothing as STATE_DIR has become full: who plays loses no day, and others come in: %j',
  async (asked) => {
    using stage = await drainStage({ players: 2, hasDisk: false });
    const { operation } = await begun(stage, asked);
    stage.store.full = true;
    await stage.pass(5 * minute);
    await stage.isOver();
    await stage.calm();
    expect(stage.phases()).not.toContain('stopping');
    expect([stage.present(), stage.mode.isThere, await stage.knocks()]).toEqual([['1', '2'], true, true]);
    const why = expect.stringMatching(/^STATE_DIR cannot be written.*players can join again/);
    expect(operation()).toMatchObject({ state: 'void', notDurable: true, why });
    expect(stage.told.findLast(({ type }) => type === 'server.drainEnded')?.data).toEqual({ reason: why });
  },
);

it('keeps a game from being updated over the heads of those who play while STATE_DIR is full', async () => {
  using stage = await drainStage({ players: 1, hasDisk: false });
  stage.store.full = true;
  const asked = { when: 'now', seconds: 5, operationId: '7', stopsGame: true, step: async () => {} } as const;
  let isUpdated = false;
  const updating = stage.drains.closedWhile(asked, async () => {
    isUpdated = true;
  });
  updating.catch(() => {});
  await stage.pass(5 * minute);
  await expect(updating).rejects.toMatchObject({ code: 'state-unwritable' });
  expect([isUpdated, stage.present(), stage.mode.isThere, await stage.knocks()]).toEqual([
    false,
    ['1'],
    true,
    true,
  ]);
});

it('stops a game that nobody plays while STATE_DIR is full, as it saves by itself then', async () => {
  using stage = await drainStage({ players: 1, hasDisk: false });
  await begun(stage, { when: 'now', seconds: 60 });
  stage.store.full = true;
  await stage.leaves('1');
  await stage.pass(2 * minute);
  await stage.isIn('stopped');
  expect(stage.mode.isThere).toBe(false);
});

it('disconnects, saves and stops as ever once STATE_DIR has room again in time', async () => {
  using stage = await drainStage({ players: 1, hasDisk: false });
  const { operation } = await begun(stage, { when: 'now', seconds: 5 });
  stage.store.full = true;
  await stage.pass(minute);
  expect([stage.drains.standing?.phase, stage.present()]).toEqual(['leaving', ['1']]);
  stage.store.full = false;
  await stage.pass(minute);
  await stage.isIn('stopped');
  await stage.calm();
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isSaved: true } } });
});

it('disconnects again whom a game did not while it saved, so that the day is saved', async () => {
  using stage = await drainStage({ players: 2 });
  const { operation } = await begun(stage, { when: 'now', seconds: 5 });
  stage.game.mood = { refuses: 'saving', message: 'the farm is saving' };
  await stage.pass(60_000);
  expect(stage.drains.standing?.phase).toBe('leaving');
  stage.game.mood = 'willing';
  await stage.pass(5_000);
  await stage.isIn('stopped');
  await stage.calm();
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isSaved: true } } });
});

it('asks once more for a save that a game which stood still did not claim, so that the day is saved', async () => {
  using stage = await drainStage({ players: 1 });
  const { operation } = await begun(stage, { when: 'now', seconds: 5 });
  await stage.pass(3_500);
  stage.game.mood = 'silent';
  await stage.leaves('1');
  await stage.isIn('saving');
  await stage.pass(10_000);
  expect(stage.drains.standing?.phase).toBe('saving');
  stage.game.mood = 'willing';
  await stage.pass(10_000);
  await stage.isIn('stopped');
  await stage.calm();
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isSaved: true } } });
});

it('stops a game that claims no save for as long as one may take', async () => {
  using stage = await drainStage({ players: 1 });
  const { operation } = await begun(stage, { when: 'now', seconds: 5 });
  await stage.pass(3_500);
  stage.game.mood = 'silent';
  await stage.leaves('1');
  await stage.isIn('saving');
  await stage.pass(courseLimits.savingMs + 20_000);
  await stage.isIn('stopped');
  await stage.calm();
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isSaved: false } } });
});

it('disconnects who arrives after everybody had left, as they had passed the gate before', async () => {
  using stage = await drainStage({ players: 1 });
  const { operation } = await begun(stage, { when: 'now', seconds: 5 });
  await stage.pass(3_500);
  stage.game.mood = { refuses: 'not-ready', message: 'a moment' };
  await stage.leaves('1');
  await stage.isIn('saving');
  await stage.comes('2');
  stage.game.mood = 'willing';
  await stage.pass(10_000);
  await stage.isIn('stopped');
  await stage.calm();
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isSaved: true } } });
});

it('goes on where the game crashes, at whatever it does, and nobody is left who could lose a day', async () => {
  for (const waits of [0, 31 * minute]) {
    using stage = await drainStage({ players: 2 });
    const { operation } = await begun(stage, { when: 'day-end', seconds: 120 });
    await stage.pass(waits);
    await stage.crashes();
    await stage.isIn('stopped');
    await stage.calm();
    expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isSaved: false } } });
  }
});

it('takes nobody for gone on somebody else’s game that is not connected: it waits, and stops none that is played', async () => {
  using stage = await drainStage({ players: 1, isOurs: false });
  await begun(stage, { when: 'empty', minutes: 60 });
  await stage.isLost();
  await stage.pass(5 * minute);
  expect(stage.phases()).toEqual(['waiting']);
  await stage.isStartedAgain();
  await stage.pass(5 * minute);
  expect([stage.phases(), stage.present()]).toEqual([['waiting'], ['1']]);
  await stage.leaves('1');
  await stage.isIn('stopped');
  expect(stage.bridge.state.link.status).toBe('stopped');
});

it('holds somebody else’s game that is started again in the moment in which it has gone', async () => {
  using stage = await drainStage({ players: 1, isOurs: false });
  stage.bridge.follow(({ link }) => {
    if (link.status === 'gone') setImmediate(() => void stage.isStartedAgain());
  });
  const { operation } = await begun(stage, { when: 'now', seconds: 5 });
  await stage.pass(10_000);
  await stage.isIn('stopped');
  await stage.pass(10_000);
  expect([stage.bridge.state.link.status, operation()?.outcome]).toMatchObject([
    'stopped',
    { after: { isSaved: true } },
  ]);
});

it.each(['silent', 'claims-and-is-silent'] as const)(
  'takes somebody else’s game that loses its connection as it saves for none that has stopped, and saves and stops it once it is back: %s',
  async (mood) => {
    using stage = await drainStage({ players: 1, isOurs: false });
    const { operation } = await begun(stage, { when: 'now', seconds: 5 });
    await stage.pass(3_500);
    stage.game.mood = mood;
    await stage.leaves('1');
    await stage.isIn('saving');
    await stage.isLost();
    await stage.pass(3_000);
    stage.game.mood = 'willing';
    await stage.isStartedAgain();
    await stage.pass(10_000);
    await stage.isIn('stopped');
    await stage.calm();
    expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isSaved: true } } });
    expect([stage.mode.isThere, stage.bridge.state.link.status]).toEqual([false, 'stopped']);
  },
);

it('takes somebody else’s game that lost its connection as it saved for stopped once it would be back, whatever a clock says', async () => {
  using stage = await drainStage({ players: 1, isOurs: false });
  const { operation } = await begun(stage, { when: 'now', seconds: 5 });
  await stage.pass(3_500);
  stage.game.mood = 'silent';
  await stage.leaves('1');
  await stage.isIn('saving');
  await stage.isLost();
  stage.clock.setWallClock(60 * minute);
  await stage.pass(returnMs - 1_000);
  expect(stage.phases().at(-1)).toBe('saving');
  await stage.pass(1_000);
  await stage.isIn('stopped');
  await stage.calm();
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isSaved: false } } });
});

it('says that somebody else’s game did not go, and lets players in again', async () => {
  using stage = await drainStage({ players: 1, isOurs: false });
  stage.game.asked = () => {};
  const { operation } = await begun(stage, { when: 'now', seconds: 5, restart: true });
  await stage.pass(10_000 + courseLimits.goneMs);
  await stage.isOver();
  await stage.calm();
  expect(operation()).toMatchObject({
    state: 'void',
    why: expect.stringMatching(/still running after 60 s/),
  });
  expect(await stage.knocks()).toBe(true);
});

it('is not begun for somebody else’s game that cannot be asked to stop', async () => {
  using stage = await drainStage({ players: 1, isOurs: false, capabilities: ['save', 'kick'] });
  await expect(stage.drains.start({ when: 'now' }, undefined)).rejects.toMatchObject({
    code: 'not-supported-by-game',
  });
});

it('is not begun with an existing server, and says who stops that one', async () => {
  await using stage = new ExistingStage();
  const server = await stage.server();
  const { bridge, live } = await stage.bridgeTo(server.origin);
  await live();
  const { status } = problemCodes['not-supported-by-game'];
  expect(status).toBe(501);
  expect(() => refuseDrain(bridge, undefined)).toThrow(/is not started by Steward.*stop it yourself/);
});

it('before one, says that an existing server loses the day, whoever is online and also while it is gone, and advises no drain', async () => {
  await using existing = new ExistingStage();
  const server = await existing.server();
  const environment = { GAME_BRIDGE: 'existing', EXISTING_URL: server.origin, EXISTING_API_KEY: 'k' };
  await using stage = await restoreStage({ environment });
  const { bridge } = stage.service;
  const lost = async () => (await stage.ask('GET', '/drain')).body['lostIfStoppedNow'];
  await stage.live();
  const told = [await lost()];
  server.farm.join();
  await stateThat(bridge, ({ sections }) => sections.players?.length === 1);
  told.push(await lost());
  await existing.close(server);
  await stateThat(bridge, ({ link }) => link.status === 'gone');
  told.push(await lost());
  const theDay = expect.stringMatching(
    /^This day .* saves only when a day ends, and Steward cannot drain it\. Stop it right after a new day/,
  );
  expect(told).toEqual([theDay, theDay, theDay]);
});

it('before one, says that it is unknown what is lost of somebody else’s game that is not connected, unless it is held away', async () => {
  await using api = await openApi();
  const lost = async () => (await api.ask('GET', '/drain')).exact['lostIfStoppedNow'];
  api.gameGoes();
  await stateThat(api.bridge, ({ link }) => link.status === 'gone');
  expect(await lost()).toMatch(/^Unknown: no game is connected, .* may run on with its players$/);
  await api.bridge.holdGame('drain', { reason: 'the stage holds it away', remedy: 'DELETE /drain' });
  expect(await lost()).toBe('Nothing: no game is connected');
});

it('before one, counts nobody of the game before, and says that it is unknown what is lost, until one that has come back has told everything', async () => {
  await using api = await openApi();
  const shown = async () => {
    const { players, lostIfStoppedNow } = (await api.ask('GET', '/drain')).exact;
    return { players, lostIfStoppedNow };
  };
  api.gameGoes();
  await settled();
  const back = api.mode.connect();
  back.say(hello);
  await settled();
  expect(await shown()).toEqual({
    players: 0,
    lostIfStoppedNow: 'Unknown: the game has not sent its complete state yet',
  });
  back.say({ jsonrpc: '2.0', method: 'state', params: fullFarm() });
  await settled();
  expect(await shown()).toEqual({
    players: 1,
    lostIfStoppedNow: expect.stringMatching(/^This day since it began/),
  });
});

it('holds away a game that vanished with its machine once nobody answers for it any more', async () => {
  using stage = await drainStage({ players: 1, isOurs: false });
  const { operation } = await begun(stage, { when: 'now', seconds: 5 });
  await stage.pass(1_000);
  stage.mode.vanishes();
  await stage.pass(4 * minute);
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isSaved: false } } });
  expect(stage.bridge.state.link.status).toBe('stopped');
});

it('leaves players alone whose game goes on without this service, when that stops', async () => {
  using stage = await drainStage({ players: 2, isOurs: false });
  await stage.drains.beforeStop(90);
  await stage.pass(90_000);
  expect([stage.present(), stage.announced()]).toEqual([['1', '2'], []]);
});

it('gives way to the stop of the service while it waits, which sees players off in its own time and saves', async () => {
  using stage = await drainStage({ players: 1 });
  const { operation } = await begun(stage, { when: 'empty' });
  const remedy = async () => (await stage.drains.objections.look())({ connectionId: 'L_1' })()?.remedy;
  expect([await remedy(), stage.drains.remedy]).toEqual([calledOff, calledOff]);
  void stage.drains.beforeStop(20);
  await stage.isIn('counting');
  const stopping = 'Nothing to do: the service is stopping';
  expect([await remedy(), stage.drains.remedy]).toEqual([stopping, stopping]);
  await stage.pass(15_000);
  await stage.calm();
  expect([stage.present(), stage.generation, stage.mode.isThere, await stage.knocks()]).toEqual([
    [],
    2,
    true,
    false,
  ]);
  expect(operation()).toMatchObject({ state: 'void', why: 'the service stops' });
  await stage.drains.stop();
  expect(existsSync(noteOf(stage))).toBe(false);
  // Nobody can join a game that goes with the service.
  expect([await stage.knocks(), await remedy()]).toEqual([false, stopping]);
  expect(stage.told.filter(({ type }) => type === 'server.drainEnded')).toEqual([]);
});

it.each(['the game', 'a full disk'])(
  'takes no longer than it was given before a stop, whatever %s does',
  async (which) => {
    using stage = await drainStage({ players: 1 });
    if (which === 'the game') stage.game.mood = 'claims-and-is-silent';
    else stage.store.full = true;
    let isOver = false;
    void stage.drains.beforeStop(20).then(() => {
      isOver = true;
    });
    await stage.pass(21_000);
    expect(isOver).toBe(true);
    const refused = { code: 'shutting-down', extras: { retry: true }, headers: { 'retry-after': '5' } };
    await expect(stage.drains.start({ when: 'now' }, undefined)).rejects.toMatchObject(refused);
    await expect(stage.drains.end(undefined)).rejects.toMatchObject(refused);
  },
);

it('is ended while the game stops: that is not waited for, and the game comes back once it is gone', async () => {
  using stage = await drainStage({ players: 1 });
  const { operation } = await begun(stage, { when: 'now', seconds: 5 });
  await stage.pass(2_000);
  stage.bridge.events.follow(({ event }) => {
    if (event.type === 'server.draining' && event.data.phase === 'stopping')
      stage.game.mood = 'claims-and-is-silent';
  });
  await stage.pass(5_000);
  await stage.isIn('stopping');
  const ended = stage.drains.end(undefined);
  await stage.pass(1_000);
  expect(await ended).toMatchObject({ operation: { outcome: { after: { wasStopped: true } } } });
  expect(operation()).toMatchObject({ state: 'void' });
  stage.game.mood = 'willing';
  for (const goOn of stage.game.held) goOn();
  await stage.pass(5_000);
  expect([stage.mode.isThere, await stage.knocks(), stage.bridge.state.link.status]).toEqual([
    true,
    true,
    'live',
  ]);
});

it('lets players in as soon as a game that is restarted is there', async () => {
  using stage = await drainStage({ players: 1 });
  let isOpen: boolean | undefined;
  stage.bridge.follow(({ link }) => {
    if (link.status === 'live' && stage.drains.standing?.phase === 'starting')
      void stage.knocks().then((lets) => {
        isOpen ??= lets;
      });
  });
  await begun(stage, { when: 'now', seconds: 0, restart: true });
  await stage.pass(3_000);
  await stage.isOver();
  expect(isOpen).toBe(true);
});

it('is ended once, however many ask for it', async () => {
  using stage = await drainStage({ players: 1 });
  await begun(stage, { when: 'empty' });
  await Promise.all([stage.drains.end(undefined), stage.drains.end(undefined)]);
  expect(stage.told.filter(({ type }) => type === 'server.drainEnded')).toHaveLength(1);
});

it('goes on in the next process where it waited, for the time that it had left, before anybody could come in', async () => {
  using before = await drainStage({ players: 1, isOurs: false });
  const { operation } = await begun(before, { when: 'empty', minutes: 10, seconds: 30, message: 'mods' });
  const id = operation()?.id ?? '';
  await before.pass(4 * minute);
  await before.drains.stop();
  await before.calm();
  expect([operation()?.state, existsSync(noteOf(before))]).toEqual(['unknown', true]);
  await before.isLost();
  const next = await drainStage({ isOurs: false, after: before });
  expect([await next.knocks(), next.drains.standing]).toMatchObject([
    false,
    { phase: 'waiting', operationId: id, message: 'mods' },
  ]);
  await next.pass(5 * minute);
  expect(next.phases()).toEqual(['waiting']);
  await next.pass(minute);
  await next.isIn('counting');
  expect(existsSync(noteOf(before))).toBe(false);
  await next.pass(40_000);
  await next.isIn('stopped');
  await next.calm();
  expect(next.bridge.operations.find(id)).toMatchObject({
    state: 'applied',
    outcome: { after: { isSaved: true, isBack: false } },
  });
});

it('for a change of farms or an update ends with the service where it waits, and says so, as no other process goes on with it', async () => {
  using stage = await drainStage({ players: 1, isOurs: false });
  const asked = { when: 'empty', operationId: '7', step: async () => {} } as const;
  const changing = stage.drains.closedWhile(asked, async () => {});
  await stage.isIn('waiting');
  const [ended] = await Promise.allSettled([changing, stage.drains.stop()]);
  expect(ended).toMatchObject({ status: 'rejected', reason: { code: 'command-void' } });
  expect(stage.told.at(-1)).toEqual({ type: 'server.drainEnded', data: { reason: 'the service stops' } });
  expect(await stage.knocks()).toBe(true);
});

it('for a change of farms says that there is nothing to do about it once it cannot be called off', async () => {
  using stage = await drainStage({ players: 1, hasDisk: false });
  const asked = { when: 'now', seconds: 5, operationId: '7', step: async () => {} } as const;
  const said = async () => [
    (await stage.drains.objections.look())({ connectionId: 'L_1' })()?.remedy,
    await stage.drains.start({ when: 'now' }, undefined).catch(({ message }: Error) => message),
  ];
  const itself = 'Nothing to do: it ends by itself. GET /operations/7 shows how';
  const changed = stage.drains.closedWhile(asked, async (_isSaved, begins) => {
    const before = await said();
    begins();
    return [before, await said()];
  });
  await stage.pass(minute);
  expect(await changed).toEqual([
    [calledOff, 'A drain is already running: GET /drain shows its progress, and DELETE /drain cancels it'],
    [itself, `A drain is already running. ${itself}`],
  ]);
});

it('waits no longer than it was told to by a clock that was set back meanwhile, and counts down by one set ahead', async () => {
  for (const [hours, left] of [
    [-5, 10],
    [5, 0],
  ] as const) {
    using before = await drainStage({ players: 1, isOurs: false });
    await begun(before, { when: 'empty', minutes: 10 });
    await before.drains.stop();
    await before.calm();
    await before.isLost();
    before.clock.setWallClock(hours * 60 * minute);
    const next = await drainStage({ isOurs: false, after: before });
    await next.pass(left * minute);
    await next.isIn('counting');
    expect(next.phases()).toEqual(['waiting', 'counting']);
  }
});

it('says until when it waits by the clock as it is, where that was set meanwhile, and is the same at each look where it was not', async () => {
  using stage = await drainStage({ players: 1 });
  await begun(stage, { when: 'empty' });
  const untilMs = () => Date.parse(stage.drains.standing?.until ?? '');
  for (const byMs of [60 * minute, -300 * minute]) {
    const before = stage.drains.standing;
    await stage.pass(minute);
    expect(stage.drains.standing).toBe(before);
    const beforeMs = untilMs();
    stage.clock.setWallClock(byMs);
    expect(untilMs() - beforeMs).toBe(byMs);
  }
});

it('passes over the note of one that is over', async () => {
  using before = await drainStage({ players: 1, isOurs: false });
  const { operation } = await begun(before, { when: 'empty' });
  await before.drains.stop();
  await before.calm();
  const [kept] = [...before.store.kept.values()].filter(({ id }) => id === operation()?.id);
  if (kept !== undefined) before.store.kept.set(kept.id, { ...kept, state: 'void', why: 'it is over' });
  await before.isLost();
  const next = await drainStage({ isOurs: false, after: before });
  await next.calm();
  expect([next.drains.standing, await next.knocks()]).toEqual([undefined, true]);
  await eventually(async () => !existsSync(noteOf(before)) || undefined, { missing: () => 'its note stays' });
});

it('is over with its process once it counts down', async () => {
  using before = await drainStage({ players: 1, isOurs: false });
  const { operation } = await begun(before, { when: 'empty', minutes: 1, seconds: 600 });
  const id = operation()?.id ?? '';
  await before.pass(2 * minute);
  await before.isIn('counting');
  await before.drains.stop();
  await before.calm();
  await before.isLost();
  const next = await drainStage({ isOurs: false, after: before });
  await next.calm();
  expect([next.drains.standing, await next.knocks(), next.present()]).toEqual([undefined, true, ['1']]);
  expect(next.bridge.operations.find(id)?.state).toBe('void');
});

it('tells players why in no more characters than a game shows, and without what turns a line round', () => {
  const order = { when: 'now', restart: true, minutes: 0, seconds: 60 } as const;
  expect(closedWords({ ...order, message: '🌾'.repeat(100) })).toHaveLength(
    'The server restarts, and is back in a few minutes (🌾)'.length + 99 * 2,
  );
  expect(Array.from(closedWords({ ...order, message: 'x'.repeat(200) }))).toHaveLength(200);
  expect(closedWords({ ...order, message: 'a\u202eb' })).toMatch(/\(ab\)$/);
});
