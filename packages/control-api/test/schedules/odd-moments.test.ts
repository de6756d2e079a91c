import { settledMs } from '@steward/service-kit/settled-time';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { owner } from '../../src/keys/caller.ts';
import type { NewSchedule } from '../../src/schedules/schedule-changes.ts';
import { openedRing } from '../keys/stage/opened-ring.ts';
import { PlayedWorld } from './stage/played-world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** At midnight by UTC, when each world begins, it is five hours until then. */
const atFive = { cron: '0 5 * * *', timeZone: 'UTC', missed: 'skip' } as const;

async function made(world: PlayedWorld, asked: object): Promise<void> {
  const action = 'action' in asked ? {} : ({ action: 'rendering', fps: 1 } as const);
  await world.schedules.create({ name: 'one', ...action, ...asked } as NewSchedule, owner, undefined);
}

/** When each run began that was due, and what was told, in their order. */
function happened(world: PlayedWorld): string[] {
  return world.record.map((each) =>
    'event' in each ? each.event.type : `begun ${new Date(each.run.at).toISOString().slice(11, 16)}`,
  );
}

it('what was missed by a clock that was ahead is done when its time comes', async () => {
  const world = new PlayedWorld();
  await made(world, atFive);
  await world.pass(4 * hourMs);
  world.clock.setWallClock(2 * hourMs);
  await world.pass(minuteMs);
  expect(happened(world)).toEqual(['schedules.skipped']);
  world.clock.setWallClock(-2 * hourMs);
  await world.pass(hourMs);
  expect(happened(world)).toEqual(['schedules.skipped', 'begun 05:00', 'schedules.ran']);
});

it('what failed goes on to be a failure, with its reason, over runs that were missed, until one is done', async () => {
  const world = new PlayedWorld();
  await made(world, atFive);
  world.action = { takesMs: 0, fails: true };
  await world.pass(5 * hourMs + 10 * minuteMs);
  for (let night = 0; night < 2; night += 1) {
    await world.kill(false);
    world.clock.advance(dayMs);
    await world.startAgain();
    await world.pass(minuteMs);
    expect(world.schedules.standing).toMatchObject([{ isFailing: true }]);
  }
  const reason = expect.stringMatching(/^it was missed.*; the last run: no game is connected$/);
  expect(world.schedules.list()).toMatchObject([{ lastRun: { outcome: 'skipped', reason } }]);
  world.action = { takesMs: 30 * minuteMs, fails: false };
  await world.pass(dayMs);
  // It has begun ten minutes ago.
  expect(world.schedules.standing).toMatchObject([{ isFailing: true }]);
  await world.pass(hourMs);
  expect(world.schedules.standing).toMatchObject([{ isFailing: false }]);
  const nights = ['schedules.failed', 'schedules.skipped', 'schedules.skipped'];
  expect(happened(world)).toEqual(['begun 05:00', ...nights, 'begun 05:00', 'schedules.ran']);
});

it('what was missed before one that is still in time is told once, also where that one cannot begin at once', async () => {
  const world = new PlayedWorld();
  await made(world, { cron: '0 * * * *', timeZone: 'UTC', missed: 'skip' });
  await world.pass(hourMs + minuteMs);
  await world.kill(false);
  world.clock.advance(3 * hourMs - 40_000);
  world.record.length = 0;
  world.disk = 'refuses';
  await world.startAgain();
  await world.pass(30_000);
  world.disk = 'takes';
  await world.pass(30_000);
  expect(happened(world)).toEqual(['schedules.skipped', 'schedules.failed', 'begun 04:01', 'schedules.ran']);
  expect(world.record[0]).toMatchObject({ event: { data: { dueAt: '2026-03-27T02:00:00.000Z' } } });
});

it('what is due while the disk refuses the run before it is told once, and is not overlapped by a run that never began', async () => {
  const world = new PlayedWorld();
  await world.pass(1_000);
  await made(world, { cron: '* * * * *', timeZone: 'UTC', missed: 'skip' });
  world.disk = 'refuses';
  await world.pass(10 * minuteMs);
  // Each try takes a second, from now on one of them over the full minute.
  world.clock.setWallClock(-500);
  await world.pass(3 * minuteMs);
  const told = world.record.flatMap((each) =>
    'event' in each && each.event.type === 'schedules.skipped' ? [each.event.data] : [],
  );
  expect(told.length).toBeGreaterThan(0);
  expect(told.map(({ dueAt }) => dueAt)).toEqual([...new Set(told.map(({ dueAt }) => dueAt))]);
  expect(told.every(({ reason }) => reason.startsWith('it was missed'))).toBe(true);
});

it('what was made by a clock that was ahead is done the first time that its time comes', async () => {
  const world = new PlayedWorld();
  await world.pass(4 * hourMs);
  world.clock.setWallClock(2 * hourMs);
  await made(world, atFive);
  world.clock.setWallClock(-2 * hourMs);
  await world.pass(hourMs);
  expect(happened(world)).toEqual(['begun 05:00', 'schedules.ran']);
});

it('what was done by a clock that was ahead is not done again', async () => {
  const world = new PlayedWorld();
  await made(world, atFive);
  await world.pass(4 * hourMs);
  world.clock.setWallClock(hourMs);
  await world.pass(minuteMs);
  world.clock.setWallClock(-hourMs);
  await world.pass(2 * hourMs);
  expect(happened(world)).toEqual(['begun 05:00', 'schedules.ran']);
});

it.each(['skip', 'once'])(
  'a clock that is days behind for a minute after a start has nothing done or told again, with missed=%s',
  async (missed) => {
    const world = new PlayedWorld();
    await made(world, { ...atFive, missed });
    await world.pass(12 * hourMs);
    for (let starts = 0; starts < 2; starts += 1) {
      await world.kill(false);
      world.clock.setWallClock(-2 * dayMs);
      await world.startAgain();
      await world.pass(minuteMs);
      world.clock.setWallClock(2 * dayMs);
      await world.pass(settledMs + minuteMs);
    }
    expect(happened(world)).toEqual(['begun 05:00', 'schedules.ran']);
    expect(world.schedules.list()).toMatchObject([{ nextRun: '2026-03-28T05:00:00.000Z' }]);
  },
);

it.each([
  ['skip', 'schedules.skipped', []],
  ['once', 'begun 05:06', ['schedules.ran']],
])(
  'a clock that is set back by days counts once it has gone on for ten minutes, and what was due meanwhile is met, with missed=%s',
  async (missed, first, then) => {
    const world = new PlayedWorld();
    await made(world, { ...atFive, missed });
    await world.pass(4 * hourMs + 56 * minuteMs);
    world.clock.setWallClock(2 * dayMs);
    await world.pass(2 * minuteMs);
    world.record.length = 0;
    world.clock.setWallClock(-2 * dayMs - 2 * minuteMs);
    await world.pass(settledMs);
    expect(happened(world)).toEqual([]);
    await world.pass(minuteMs);
    expect(happened(world)).toEqual([first, ...then]);
  },
);

it('one whose key has expired by a clock that is wrong for a moment goes on, and does nothing in that moment', async () => {
  const world = new PlayedWorld();
  using directory = temporaryDirectory();
  await using opened = await openedRing(directory.path, world.clock);
  const { ring } = opened;
  world.keys = ring;
  const expires = { afterMs: 30 * dayMs };
  const { secret = '' } = await ring.create({ name: 'bot', scopes: ['operate'], expires }, undefined);
  const bot = ring.callerOf(secret) ?? expect.unreachable('a new key opens nothing');
  const asked = { name: 'hourly', action: 'rendering', fps: 1, cron: '0 * * * *' } as const;
  await world.schedules.create(asked as NewSchedule, bot, undefined);
  const state = () => world.schedules.list().map((each) => each.state);
  await world.pass(30 * minuteMs);
  world.clock.setWallClock(40 * dayMs);
  await world.pass(minuteMs);
  expect([state(), happened(world)]).toEqual([['off'], []]);
  world.clock.setWallClock(-40 * dayMs);
  await world.pass(minuteMs);
  expect([state(), happened(world)]).toEqual([['active'], []]);
  await world.pass(30 * minuteMs);
  expect(happened(world)).toEqual(['begun 01:00', 'schedules.ran']);
  // Its end is one once the clock has gone on for a while.
  world.clock.setWallClock(40 * dayMs);
  await world.pass(settledMs + 2 * minuteMs);
  expect(happened(world).slice(2)).toEqual(['schedules.switchedOff']);
  world.clock.setWallClock(-40 * dayMs);
  await world.pass(hourMs);
  expect(state()).toEqual(['off']);
});

it('one that two ask for at once runs once, and who comes second is told so', async () => {
  const world = new PlayedWorld();
  await made(world, atFive);
  world.action = { takesMs: minuteMs, fails: false };
  const [first, second] = [1, 2].map(() => world.schedules.run({ name: 'one' }, owner, undefined));
  await expect(second).rejects.toMatchObject({ code: 'schedule-running' });
  await world.pass(2 * minuteMs);
  expect(await first).toMatchObject({ operation: { state: 'applied' } });
  expect(world.mostUnderWay).toBe(1);
});

it('one that was cut off, and whose key has ended since, says so once', async () => {
  const world = new PlayedWorld();
  const caller = { ...owner, name: 'bot', keyId: 'key_1' };
  const asked = { name: 'one', action: 'rendering', fps: 1, cron: '0 * * * *', missed: 'once' } as const;
  await world.schedules.create(asked as NewSchedule, caller, undefined);
  world.action = { takesMs: hourMs, fails: false };
  await world.pass(hourMs);
  world.ended.add('key_1');
  for (let times = 0; times < 3; times += 1) {
    await world.kill(false);
    await world.startAgain();
    await world.pass(minuteMs);
  }
  expect(happened(world)).toEqual(['begun 01:00', 'schedules.failed', 'schedules.switchedOff']);
  expect(world.schedules.list()).toMatchObject([{ state: 'off', lastRun: { outcome: 'unknown' } }]);
});

it.each([
  { action: { action: 'rendering', fps: 1 }, later: ['begun 01:20', 'schedules.ran'] },
  { action: { action: 'announce', message: '1' }, later: [] },
])(
  'one that fails while the service stops runs again where that is safe: $action.action',
  async ({ action, later }) => {
    const world = new PlayedWorld();
    await made(world, { ...action, cron: '0 * * * *', missed: 'once' });
    world.action = { takesMs: 20 * minuteMs, fails: true };
    await world.pass(hourMs);
    world.schedules.stop();
    await world.pass(20 * minuteMs);
    await world.kill(false);
    world.action = { takesMs: 0, fails: false };
    await world.startAgain();
    await world.pass(10_000);
    expect(happened(world)).toEqual(['begun 01:00', 'schedules.failed', ...later]);
  },
);

it('one that fails while the service stops, for the second time, is not tried a third time', async () => {
  const world = new PlayedWorld();
  await made(world, { cron: '0 * * * *', missed: 'once' });
  world.action = { takesMs: 10 * minuteMs, fails: true };
  await world.pass(hourMs);
  for (let times = 0; times < 3; times += 1) {
    world.schedules.stop();
    await world.pass(10 * minuteMs);
    await world.kill(false);
    await world.startAgain();
    await world.pass(10_000);
  }
  expect(happened(world)).toEqual(['begun 01:00', 'schedules.failed', 'begun 01:10', 'schedules.failed']);
});

it('one that was cut off, and is run manually before it could begin again, is passed over once', async () => {
  const world = new PlayedWorld();
  await made(world, { cron: '0 * * * *', missed: 'once' });
  world.action = { takesMs: 20 * minuteMs, fails: false };
  await world.pass(hourMs);
  await world.kill(false);
  world.disk = 'refuses';
  await world.startAgain();
  world.disk = 'takes';
  const byHand = world.schedules.run({ name: 'one' }, owner, undefined);
  await world.pass(1);
  await world.pass(10 * minuteMs);
  await byHand;
  expect(happened(world).filter((each) => each === 'schedules.skipped')).toHaveLength(1);
});

it('a farm that somebody was on since counts as empty again, also by a clock that was set back', async () => {
  const world = new PlayedWorld();
  world.emptySince = world.clock.date();
  await made(world, { emptyMinutes: 30 });
  await world.pass(40 * minuteMs);
  world.clock.setWallClock(-2 * hourMs);
  world.emptySince = undefined;
  world.schedules.visited();
  await world.pass(minuteMs);
  world.emptySince = world.clock.date();
  await world.pass(35 * minuteMs);
  expect(happened(world).filter((each) => each === 'schedules.ran')).toHaveLength(2);
});

it('what is due as the service starts waits for the game that starts with it, while it may, and no longer', async () => {
  const world = new PlayedWorld();
  await made(world, { ...atFive, missed: 'once' });
  await made(world, { ...atFive, name: 'in time' });
  await world.pass(5 * hourMs - minuteMs);
  await world.kill(false);
  world.isGameStarting = true;
  world.clock.advance(minuteMs);
  await world.startAgain();
  await world.pass(50_000);
  expect(happened(world)).toEqual([]);
  await world.pass(minuteMs);
  expect(happened(world), 'what would be missed').toEqual(['begun 05:01', 'schedules.ran']);
  world.isGameStarting = false;
  await world.pass(minuteMs);
  expect(happened(world)).toHaveLength(4);
});

it('a game that does not come holds up nothing for longer than games take', async () => {
  const world = new PlayedWorld();
  world.isGameStarting = true;
  await made(world, { ...atFive, missed: 'once' });
  await world.pass(5 * hourMs + minuteMs);
  expect(happened(world)).toEqual(['begun 05:00', 'schedules.ran']);
});
