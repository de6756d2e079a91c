import { createHash } from 'node:crypto';
import { count, seed } from '@steward/testing/scale';
import { expect, it } from 'vitest';
import { worldFaults } from '../src/faults/faults.ts';
import { clientKinds } from '../src/players/clients.ts';
import { daysPlayed } from '../src/time/calendar.ts';
import { Random } from '../src/time/random.ts';
import { invite, type Regular } from '../src/visitors/visitors.ts';
import { Invariants } from './invariants.ts';
import { byCode, type TestFarm, testFarm, withServer } from './test-farm.ts';

const pace = 1_000;
// Four seconds on a quiet machine; a busy one takes many times that.
const timeoutMs = 600_000;
const tickMs = 1_000 / 60;
const nextTroubleMs = [30_000, 600_000] as const;

function people(howMany: number): Regular[] {
  return Array.from({ length: howMany }, (_, index) => ({
    name: `Player ${index + 1}`,
    kind: clientKinds[index % clientKinds.length] ?? 'stock',
  }));
}

/** Several times a day something goes wrong, and somebody quits in the middle of creation. */
function trouble(test: TestFarm, random: Random): void {
  const { farm } = test;
  farm.schedule.after(random.integer(...nextTroubleMs), () => {
    const kind = random.pick(['crash', 'lobby', 'quitter', ...worldFaults] as const);
    if (kind === 'crash') farm.crash();
    else if (kind === 'lobby') farm.hosting.loseLobby('the network dropped the lobby');
    else if (kind !== 'quitter') farm.faults.start(kind, 120_000);
    else if (farm.hosting.lobby !== undefined) {
      const quitter = farm.players.called(`Quitter ${farm.schedule.now}`, 'test');
      quitter.join(byCode(test, 'G'), { quitInCreation: true });
    }
    trouble(test, random);
  });
}

/** Whenever the farm has made a new lobby it is linked, as the control API would do. */
function keepLinked({ farm }: TestFarm): void {
  farm.events.watch(({ event }) => {
    if (event.type === 'lobby-opened')
      farm.schedule.after(1_000, () => farm.hosting.link('109775240935523415'));
  });
}

/** Ticks as a running farm does, with a check between any two things that happen. */
function play(test: TestFarm, days: number, check: () => void): void {
  const { schedule, world } = test.farm;
  const last = daysPlayed(world.state) + days;
  while (daysPlayed(world.state) < last) {
    const end = schedule.now + tickMs * pace;
    while (schedule.step(end)) check();
    schedule.advance(end - schedule.now);
  }
}

it(
  'holds what it promises through 30 days with 100 players at a thousand times the pace',
  () => {
    const test = testFarm({ seed: `${seed}`, settings: withServer({ maxPlayers: 100 }) });
    const invariants = new Invariants(test.farm);
    invite(people(count({ small: 100, long: 100 })), test.farm);
    keepLinked(test);
    trouble(test, new Random(`${seed}/trouble`));
    let most = 0;
    play(test, count({ small: 30, long: 300 }), () => {
      invariants.check();
      most = Math.max(most, test.farm.sessions.count);
    });
    expect(invariants.checks).toBeGreaterThan(10_000);
    expect(most).toBeGreaterThan(50);
    for (const type of ['joined', 'left', 'chat', 'crashed', 'claim-abandoned', 'lobby-closed'] as const) {
      expect(test.told(type).length, type).toBeGreaterThan(0);
    }
  },
  timeoutMs,
);

function digestOf(farmSeed: string): string {
  const test = testFarm({ seed: farmSeed, settings: withServer({ maxPlayers: 20 }) });
  invite(people(20), test.farm);
  keepLinked(test);
  trouble(test, new Random(`${farmSeed}/trouble`));
  play(test, 5, () => {});
  const digest = createHash('sha256');
  for (const happening of test.history) digest.update(JSON.stringify(happening));
  return `${test.history.length} ${digest.digest('hex')}`;
}

it('tells the same story twice from the same seed, and another one from another', () => {
  const one = digestOf('one');
  expect(digestOf('one')).toBe(one);
  expect(digestOf('two')).not.toBe(one);
});
