import { join } from 'node:path';
import type { Clock } from '@steward/service-kit/clock';
import { Secret } from '@steward/service-kit/secret';
import { lobbyAnswer } from '@steward/shared/sidecar/platform';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { contentionLimits, oneAccountPerFarm } from '../src/platform/contention.ts';
import { SessionStore } from '../src/tokens/session-store.ts';
import { Emulated, gameApp } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';
import { SettlingClock } from './world/settling-clock.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const path = '/platform/lobby';

const settlingClock = () => new SettlingClock(contentionLimits.overAfterMs);

async function farm(world: Emulated, clock: Clock, logonId: number, account = 'ann'): Promise<LocalSidecar> {
  const { platform } = world;
  const directory = join(world.directory, String(logonId));
  // Saved beforehand: a token that is taken up is a new credential, which ends the wait of who was replaced meanwhile.
  const store = new SessionStore({ directory, clock, report: () => {} });
  await store.save({ username: account, token: new Secret(platform.refreshToken(account)) });
  const sidecar = await LocalSidecar.start({ platform, directory, username: account, clock, logonId });
  await sidecar.until('logged-in');
  await sidecar.put(path, { metadata: { farm: `of ${logonId}` } });
  return sidecar;
}

async function contended(sidecar: LocalSidecar): Promise<string | undefined> {
  return (await sidecar.get('/health')).json().contended?.reason;
}

async function lobbyOf(sidecar: LocalSidecar) {
  return lobbyAnswer.parse((await sidecar.get(path)).json());
}

it('of two farms on one account is told by both within two minutes, and they take turns', async () => {
  await using world = await Emulated.start();
  const clock = settlingClock();
  await using one = await farm(world, clock, 1);
  // The worst moment: the first has just looked at its lobby.
  await clock.pass(minuteMs + secondMs);
  await using other = await farm(world, clock, 2);
  await clock.pass(2 * minuteMs);
  for (const sidecar of [one, other]) {
    expect((await sidecar.get('/health')).json()).toMatchObject({
      logged_in: true,
      contended: {
        reason: expect.stringMatching(
          /^Another program uses the platform account.*lobby was taken over 3 times/,
        ),
        remedy: oneAccountPerFarm,
      },
    });
    expect((await sidecar.get('/metrics')).body).toContain('steward_platform_account_contended 1');
  }
  const openedBefore = await created(one, other);
  await clock.pass(60 * minuteMs);
  // Of what would have been 240 and more, each taking the other's.
  expect((await created(one, other)) - openedBefore).toBeLessThan(12);
  expect(world.platform.lobbies.listed(gameApp)).toHaveLength(1);
  const states = [await lobbyOf(one), await lobbyOf(other)];
  expect(states.map(({ state }) => state).toSorted()).toEqual(['lost', 'open']);
  expect(states.find(({ state }) => state === 'lost')).toMatchObject({
    reason: expect.stringContaining('Another program'),
    next_retry: expect.any(String),
  });
});

it.each([
  ['long after, while the other one pauses', 30 * minuteMs],
  ['before either knew', 40 * secondMs],
])('is told by both, within two minutes of the restart of one: %s', async (_when, passedMs) => {
  await using world = await Emulated.start();
  const clock = settlingClock();
  await using one = await farm(world, clock, 1);
  const other = await farm(world, clock, 2);
  await clock.pass(passedMs);
  await other[Symbol.asyncDispose]();
  await using again = await farm(world, clock, 2);
  await clock.pass(2 * minuteMs);
  expect(await contended(again)).toContain('Another program uses the platform account');
  expect(await contended(one)).toContain('Another program uses the platform account');
});

it('is told for a while by one that was restarted when the other had stopped, and then no more', async () => {
  await using world = await Emulated.start();
  const clock = settlingClock();
  const one = await farm(world, clock, 1);
  const other = await farm(world, clock, 2);
  await clock.pass(5 * minuteMs);
  await other[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
  {
    await using again = await farm(world, clock, 1);
    expect(await contended(again)).toBeDefined();
    await clock.pass(contentionLimits.overAfterMs + minuteMs);
    expect(await contended(again)).toBeUndefined();
  }
  await using last = await farm(world, clock, 1);
  expect(await contended(last)).toBeUndefined();
});

it('is over at once where a farm has come back with an account of its own', async () => {
  await using world = await Emulated.start();
  const clock = settlingClock();
  await using one = await farm(world, clock, 1);
  const other = await farm(world, clock, 2);
  await clock.pass(5 * minuteMs);
  await other[Symbol.asyncDispose]();
  await using mended = await farm(world, clock, 2, 'bob');
  expect(await contended(mended)).toBeUndefined();
  expect(await contended(one)).toBeDefined();
});

it('is over by itself once the other farm has stopped', async () => {
  await using world = await Emulated.start();
  const clock = settlingClock();
  await using one = await farm(world, clock, 1);
  const other = await farm(world, clock, 2);
  await clock.pass(30 * minuteMs);
  await other[Symbol.asyncDispose]();
  expect(await contended(one)).toBeDefined();
  await clock.pass(contentionLimits.longestPauseMs + contentionLimits.overAfterMs + minuteMs);
  expect(await contended(one)).toBeUndefined();
  expect(await lobbyOf(one)).toMatchObject({ state: 'open' });
  expect((await one.get('/metrics')).body).toContain('steward_platform_account_contended 0');
});

it('is told by both, too, where they replace each other’s session', async () => {
  await using world = await Emulated.start();
  const clock = new ManualClock(new Date());
  await using one = await farm(world, clock, 7);
  await using other = await farm(world, clock, 7);
  await one.until('replaced');
  expect(await contended(one)).toContain('its session was taken over');
  expect(await contended(other)).toBeUndefined();
  clock.advance(minuteMs);
  await other.until('replaced');
  expect(await contended(other)).toContain('its session was taken over');
});

it('is told, too, where the first login of a start is refused because of the other, also once it has succeeded', async () => {
  await using world = await Emulated.start();
  const clock = new ManualClock(new Date());
  world.platform.faults.add({ when: { path: 'ClientLogon' }, times: 1, fault: { eresult: 34 } });
  await using one = await LocalSidecar.start({
    platform: world.platform,
    directory: world.directory,
    token: world.platform.refreshToken('ann'),
    clock,
  });
  await one.until('replaced');
  clock.advance(minuteMs);
  await one.until('logged-in');
  expect(await contended(one)).toContain('its session was taken over');
});

it.each([
  ['that the platform drops once in a while', 6 * minuteMs, 6],
  ['that it drops twice in a row', secondMs, 2],
])('is no name for a lobby %s', async (_name, pauseMs, times) => {
  await using world = await Emulated.start();
  const clock = settlingClock();
  await using one = await farm(world, clock, 1);
  for (let time = 0; time < times; time += 1) {
    await clock.pass(pauseMs);
    for (const lobby of world.platform.lobbies.all) world.platform.lobbies.leave(lobby, lobby.owner);
  }
  await clock.pass(2 * minuteMs);
  expect(await lobbyOf(one)).toMatchObject({ state: 'open' });
  expect(await contended(one)).toBeUndefined();
});

it('is no name for an outage, in which the platform drops lobbies and sessions again and again', async () => {
  await using world = await Emulated.start();
  // Not one that waits for each timer to be set again: without a session the lobby's is not.
  const clock = new ManualClock(new Date());
  await using one = await farm(world, clock, 1);
  for (let time = 1; time <= 5; time += 1) {
    for (const lobby of world.platform.lobbies.all) world.platform.lobbies.leave(lobby, lobby.owner);
    const { created: before } = await lobbyOf(one);
    clock.advance(31 * secondMs);
    await lobbyKept(one);
    expect((await lobbyOf(one)).created).toBe(before + 1);
    world.platform.kick('ann', 20);
    await one.until('retrying');
    clock.advance(20 * secondMs);
    await one.until('logged-in');
    await lobbyKept(one);
    expect(await contended(one)).toBeUndefined();
  }
});

it('is no name for the restart of one’s own service', async () => {
  await using world = await Emulated.start();
  await using killed = new AsyncDisposableStack();
  for (let restart = 0; restart < 5; restart += 1) {
    // Killed, its session and lobby are there still when the next one comes, from a container of another name.
    const clock = settlingClock();
    killed.use(await farm(world, settlingClock(), restart));
    await using next = await farm(world, clock, restart + 1);
    await clock.pass(5 * secondMs);
    expect(await contended(next)).toBeUndefined();
  }
});

/** What is asked of a lobby is answered once all that was to be done before is done. */
async function lobbyKept(sidecar: LocalSidecar): Promise<void> {
  await sidecar.put(path, {});
}

async function created(...sidecars: LocalSidecar[]): Promise<number> {
  const answers = await Promise.all(sidecars.map(lobbyOf));
  return answers.reduce((sum, answer) => sum + answer.created, 0);
}
