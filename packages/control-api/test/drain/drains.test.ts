import { ManualClock } from '@steward/testing/manual-clock';
import { describe, expect, it } from 'vitest';
import { Drains } from '../../src/drain/drains.ts';
import { usherOver } from '../../src/drain/usher.ts';
import { announcerOver } from '../../src/game/announcer.ts';
import { buildBridge, MemoryMode, quiet, settled } from '../game/stage/stage.ts';
import { begun, type DrainStage, drainStage, stateOf } from './drain-stage.ts';

const minute = 60_000;

function nightEnds(stage: DrainStage): void {
  const { game } = stage;
  game.save();
  game.happens({ kind: 'saved', saveGeneration: stage.generation });
  game.state.status.dayTransitionComplete = true;
  game.tell();
}

it('now: counts down aloud, lets nobody new in, disconnects who is left, saves and stops, and comes back when it is told to', async () => {
  using stage = await drainStage({ players: 2 });
  const { result, operation } = await begun(stage, { when: 'now', seconds: 60, message: 'new mods' });
  expect(stateOf(result)).toBe('claimed');
  expect(await stage.knocks()).toBe(false);
  expect(stage.present()).toEqual(['1', '2']);
  await stage.pass(55_000);
  expect(stage.announced()).toEqual([
    'The server stops in 1 minute: please finish now (new mods)',
    'The server stops in 30 seconds: please finish now (new mods)',
    'The server stops in 10 seconds: please finish now (new mods)',
  ]);
  expect(stage.present()).toEqual(['1', '2']);
  await stage.pass(5_000);
  await stage.isIn('stopped');
  await stage.calm();
  expect(operation()).toMatchObject({
    state: 'applied',
    outcome: { after: { isSaved: true, isBack: false } },
  });
  expect(stage.generation).toBeGreaterThan(1);
  expect(stage.mode.isThere).toBe(false);
  expect(stage.phases()).toEqual(['counting', 'leaving', 'saving', 'stopping', 'stopped']);
  expect(stage.drains.standing).toMatchObject({ phase: 'stopped' });
  expect(stage.bridge.state.link).toMatchObject({
    status: 'stopped',
    remedy: expect.stringContaining('DELETE /drain'),
  });
  await stage.pass(10 * minute);
  expect(stage.mode.isThere).toBe(false);
  expect(await stage.drains.end(undefined)).toMatchObject({
    operation: { outcome: { after: { wasStopped: true } } },
  });
  await stage.calm();
  expect([stage.mode.isThere, await stage.knocks(), stage.drains.standing]).toEqual([true, true, undefined]);
});

/** As a machine's: its time has fractions, and its timers whole milliseconds. */
class FractionalClock extends ManualClock {
  #fraction = 0;

  override now(): number {
    this.#fraction = (this.#fraction + 0.37) % 1;
    return super.now() + this.#fraction;
  }

  override after(ms: number, action: () => void) {
    return super.after(Math.trunc(ms), action);
  }
}

it('says each mark of the countdown once, whatever fractions of a millisecond a clock has', async () => {
  using stage = await drainStage({ players: 2, clock: new FractionalClock() });
  await begun(stage, { when: 'now', seconds: 60 });
  await stage.pass(60_000);
  const saidBefore = stage.announced().filter((text) => text.includes('stops in'));
  expect(saidBefore).toEqual([
    'The server stops in 1 minute: please finish now',
    'The server stops in 30 seconds: please finish now',
    'The server stops in 10 seconds: please finish now',
  ]);
});

it('restarts: the game is back, and so are players, without anybody’s doing', async () => {
  using stage = await drainStage({ players: 1 });
  const { operation } = await begun(stage, { when: 'now', seconds: 0, restart: true });
  await stage.isIn('starting');
  await stage.pass(3_000);
  await stage.isOver();
  await stage.calm();
  expect(operation()).toMatchObject({
    state: 'applied',
    outcome: { after: { isSaved: true, isBack: true } },
  });
  expect([stage.mode.isThere, await stage.knocks()]).toEqual([true, true]);
  expect(stage.told.findLast(({ type }) => type === 'server.drained')).toMatchObject({
    type: 'server.drained',
    data: { restart: true, isBack: true },
  });
});

it('empty: waits until the last has left, however long they stay, and stops at once then', async () => {
  using stage = await drainStage({ players: 2 });
  await begun(stage, { when: 'empty' });
  await stage.pass(30 * minute);
  await stage.leaves('1');
  await stage.pass(30 * minute);
  expect([stage.phases(), stage.mode.isThere]).toEqual([['waiting'], true]);
  await stage.leaves('2');
  await stage.isIn('stopped');
});

it('day-end: waits until the day has ended and is saved, and then for no more than ten seconds', async () => {
  using stage = await drainStage({ players: 1 });
  await begun(stage, { when: 'day-end' });
  await stage.pass(5 * minute);
  expect(stage.phases()).toEqual(['waiting']);
  await stage.dayEnds();
  await stage.isIn('counting');
  await stage.pass(10_000);
  await stage.isIn('stopped');
});

it('day-end: waits for the save of the night that goes on as it begins, and for no other day', async () => {
  using stage = await drainStage({ players: 1 });
  const { game } = stage;
  game.happens({ kind: 'dayEnded', day: 1, season: 'spring', year: 1 });
  game.state.status.dayTransitionComplete = false;
  game.tell();
  await stage.calm();
  await begun(stage, { when: 'day-end' });
  await stage.pass(1_000);
  expect(stage.phases()).toEqual(['waiting']);
  nightEnds(stage);
  await stage.isIn('counting');
  await stage.pass(10_000);
  await stage.isIn('stopped');
});

it.each([
  ['its connection was away', false],
  ['the service was stopped', true],
])('day-end: waits for the save of the night that began while %s', async (_why, isRestarted) => {
  using before = await drainStage({ players: 1, isOurs: false });
  await begun(before, { when: 'day-end' });
  const { game } = before;
  if (isRestarted) await before.drains.stop();
  await before.isLost();
  game.state.status.dayTransitionComplete = false;
  const stage = isRestarted ? await drainStage({ isOurs: false, after: before }) : before;
  await stage.isStartedAgain();
  await stage.pass(1_000);
  expect(stage.phases().at(-1)).toBe('waiting');
  nightEnds(stage);
  await stage.isIn('counting');
  await stage.pass(10_000);
  await stage.isIn('stopped');
});

it('counts down when the time is over for which it waits', async () => {
  using stage = await drainStage({ players: 1 });
  const { operation } = await begun(stage, { when: 'empty', minutes: 10, seconds: 30 });
  await stage.pass(10 * minute);
  await stage.isIn('counting');
  await stage.calm();
  expect(stage.announced().map((said) => /in (.*?) at the latest/.exec(said)?.[1])).toEqual([
    '10 minutes',
    '5 minutes',
    undefined,
  ]);
  await stage.pass(31_000);
  await stage.isIn('stopped');
  await stage.calm();
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isSaved: true } } });
});

it('is called off at any step before the game goes: everybody stays, and comes in again', async () => {
  for (const waits of [minute, 31 * minute]) {
    using stage = await drainStage({ players: 1 });
    const { operation } = await begun(stage, { when: 'day-end', minutes: 30, seconds: 120 });
    await stage.pass(waits);
    expect(await stage.drains.end(undefined)).toMatchObject({
      operation: { outcome: { after: { wasStopped: false } } },
    });
    await stage.isOver();
    await stage.calm();
    expect(operation()).toMatchObject({ state: 'void', why: expect.stringContaining('join again') });
    await stage.pass(60 * minute);
    expect([stage.present(), stage.mode.isThere, await stage.knocks()]).toEqual([['1'], true, true]);
  }
});

it('is one at a time, and ends only where there is one', async () => {
  using stage = await drainStage({ players: 1 });
  await expect(stage.drains.end(undefined)).rejects.toMatchObject({ code: 'drain-not-found' });
  await begun(stage, { when: 'empty' });
  await expect(stage.drains.start({ when: 'now' }, undefined)).rejects.toMatchObject({
    code: 'drain-under-way',
  });
});

it('says that the day is lost where a game sends nobody away, and stops it all the same', async () => {
  using stage = await drainStage({ players: 1, capabilities: ['save', 'stop'] });
  const { operation } = await begun(stage, { when: 'now', seconds: 5 });
  await stage.pass(3 * minute);
  expect(operation()).toMatchObject({ state: 'applied', outcome: { after: { isSaved: false } } });
  expect([stage.generation, stage.announced(), stage.mode.isThere]).toEqual([1, [], false]);
});

it('sees players off before the service stops, and saves, in the time that it is given', async () => {
  using stage = await drainStage({ players: 2 });
  let isOver = false;
  const over = stage.drains.beforeStop(90).then(() => {
    isOver = true;
  });
  await stage.calm();
  expect(await stage.knocks()).toBe(false);
  await stage.pass(44_000);
  expect([stage.present().length, isOver]).toEqual([2, false]);
  await stage.pass(3_000);
  await over;
  expect([stage.present(), stage.generation, stage.mode.isThere]).toEqual([[], 2, true]);
});

it('holds up a stop by nothing where nobody is there', async () => {
  using stage = await drainStage();
  await stage.drains.beforeStop(90);
  expect(stage.generation).toBe(2);
});

describe('where no farm is loaded, as at the title of the game', () => {
  async function atItsTitle(): Promise<DrainStage> {
    const stage = await drainStage();
    const { game } = stage;
    game.state.farm = null;
    game.state.status.isOnline = false;
    game.mood = { refuses: 'not-ready', message: 'no farm is loaded' };
    game.tell();
    await stage.calm();
    return stage;
  }

  it('holds up a stop by nothing, and asks for no save', async () => {
    using stage = await atItsTitle();
    let isOver = false;
    void stage.drains.beforeStop(90).then(() => {
      isOver = true;
    });
    await stage.calm();
    expect([isOver, stage.game.heard]).toEqual([true, []]);
  });

  it('stops the game at once, and says of no day that it is lost', async () => {
    using stage = await atItsTitle();
    void stage.drains.start({ when: 'now' }, undefined);
    await stage.isIn('stopped');
    expect(stage.told.findLast(({ type }) => type === 'server.drained')).toMatchObject({
      data: { isSaved: true },
    });
    expect(stage.game.heard).toEqual(['stop']);
  });
});

it.each([
  { drain: 'no drain', waits: false },
  { drain: 'a drain that waits', waits: true },
])(
  'holds up a stop by nothing where the game still starts, as nobody was let in by it, with $drain',
  async ({ waits }) => {
    const initial = { status: 'starting', why: 'it loads' };
    const mode = Object.assign(new MemoryMode(), { initial, hold: async () => {} });
    const clock = new ManualClock();
    const bridge = buildBridge({ mode, clock });
    await bridge.start();
    const file = {
      read: async () => undefined,
      write: async () => {},
      remove: async () => {},
      close: () => {},
    };
    const drains = new Drains({
      bridge,
      usher: usherOver(bridge, announcerOver(bridge)),
      file,
      clock,
      log: quiet,
    });
    if (waits) void drains.start({ when: 'empty' }, undefined);
    await settled();
    let isOver = false;
    void drains.beforeStop(90).then(() => {
      isOver = true;
    });
    await settled();
    expect([drains.standing?.phase, isOver]).toEqual([waits ? 'waiting' : undefined, true]);
    await drains.stop();
    expect(drains.standing).toBeUndefined();
  },
);
