import { setTimeout as pause } from 'node:timers/promises';
import { freshDashboard } from '@steward/dashboard/build';
import { count } from '@steward/testing/scale';
import { ChaosWorld } from '../chaos/chaos-world.ts';
import { Dice } from '../chaos/dice.ts';
import { type ChaosFault, deck } from '../chaos/faults.ts';
import { Observer } from '../chaos/observer.ts';
import { Players } from '../chaos/players.ts';
import type { Codes } from '../chaos/way-truth.ts';
import { House } from '../house/house.ts';
import { reckon } from '../house/reckoning.ts';
import { Decks } from './decks.ts';
import { Load } from './load.ts';
import { LogWatch } from './log-watch.ts';
import { Peace } from './peace.ts';
import { SessionWatch } from './session-watch.ts';
import { type Account, account, Progress, type Soak } from './soak-account.ts';
import { killsOfAll, sparesServices, surroundingFaults } from './soak-faults.ts';
import { SoakSurroundings } from './surroundings.ts';
import { Weights } from './weights.ts';

export interface SoakOptions {
  readonly seed: number;
  /** Of the test: once its time is over nobody else ends what was started. */
  readonly signal: AbortSignal;
  readonly forMs: number;
}

/** Shares of the time: before the first and after the second everything is killed, between them the services run on. */
const steady = { from: 0.2, to: 0.92 } as const;
/** However slow the machine is: all that can be killed, all that can happen around, and enough after that to weigh lives by. */
const fewestStorms = count({ small: 4, long: 8 });
/** The first ones, in which services end. */
const stormsThatEndThem = 2;
/** So few storms leave few looks at each life: behind those that the services live through one is made before the calm, too. */
const looksInACalm = count({ small: 2, long: 1 });
const mostAtOnce = 5;
const stormMs = 600;
const playersInAStorm = 4;
const stormsBetweenRebinds = 6;
const stormsBetweenDrains = 5;
const stormsBetweenRestarts = 7;
const stormsBetweenLooks = 4;

/** Storms and calm in turn, for as long as it is told, with the API in use throughout. */
export async function runSoak({ seed, signal, forMs }: SoakOptions): Promise<Account> {
  const dice = new Dice(seed);
  let around: SoakSurroundings | undefined;
  await freshDashboard();
  await using world = await ChaosWorld.create({
    mode: 'listen',
    ...{ seed, signal },
    renewal: 'always',
    conditions: async (place) => {
      around = await SoakSurroundings.around(place);
      return around;
    },
  });
  if (around === undefined) throw new Error('the soak has no surroundings');
  await world.setUpAndStart();
  await using observer = new Observer(world);
  await using session = new SessionWatch(`${around.directory}/session`);
  await using house = await House.open(world, around, new Dice(seed + 2));
  const { keys, book } = house;
  observer.eye.heard = (message) => house.talk.heard(message);
  const logs = new LogWatch(world, [house.discord.bot]);
  const weights = new Weights({ ...around.gauges, discordBot: house.discord.gauge });
  const players = new Players(world, observer, dice);
  await using load = new Load({ port: around.wires.clients.port, keys, book }, new Dice(seed + 1));
  const struck = new Map<string, number>();
  const soak = { world, around, observer, session, logs, weights, players, load, house, struck };
  await using progress = new Progress(soak, forMs);
  const peace = new Peace(world, observer, players, load);
  const aroundThem = [...surroundingFaults(around), ...house.faults];
  const decks = new Decks(dice, [...deck, ...aroundThem]);
  const storm = (index: number): readonly ChaosFault[] => {
    if (index === 0) return killsOfAll;
    if (index === 1) return aroundThem;
    const isSteady = index < fewestStorms || (progress.share > steady.from && progress.share < steady.to);
    return decks.some(1 + Math.floor(dice.upTo(mostAtOnce)), isSteady ? sparesServices : () => true);
  };

  const check = (): void => {
    observer.check();
    load.check();
    logs.look();
    for (const { violations } of [logs, session, load])
      if (violations[0] !== undefined) throw new Error(violations[0]);
  };
  const weigh = async (): Promise<void> => {
    await house.page.weigh();
    await weights.look();
  };
  /** Resolves with the codes that work behind it. */
  const calm = async (codes: Required<Codes>, index: number): Promise<Required<Codes>> => {
    if (looksInACalm > 1 && index > stormsThatEndThem) await weigh();
    await peace.reign(codes, index % stormsBetweenRebinds === 1);
    if (index % stormsBetweenLooks === 1) await house.isWhole(peace.said);
    const isDrained = index % stormsBetweenDrains === 3;
    if (isDrained) await house.drain();
    await around?.passMinute();
    await weigh();
    check();
    return isDrained ? observer.back() : codes;
  };

  const live = async (): Promise<void> => {
    let codes = await calm(await observer.back(), 0);
    for (let index = 0; progress.share < 1 || index < fewestStorms; index += 1) {
      const faults = storm(index);
      await Promise.all([
        ...(index % stormsBetweenRestarts === 1 ? [house.neighbours.restartInTurn()] : []),
        ...faults.map((fault) => strike(fault, soak, dice)),
        players.tryInTheStorm(codes, playersInAStorm),
        players.intrude(codes),
      ]);
      const back = await observer.back();
      progress.storms += 1;
      codes = await calm(back, index + 1);
    }
    // The token that the session file holds now is all that a new start has.
    await world.sidecar.strike('SIGKILL', 0);
    await world.api.strike('SIGTERM', 0);
    codes = await observer.back();
    await peace.reign(codes, false);
    await house.isWhole(peace.said);
    await house.talk.stop();
    await load.stop();
    logs.look(0);
    check();
  };
  await Promise.race([live(), world.failure, house.discord.bot.failure]);
  return account(soak, progress, await reckon(house, soak));
}

/** It counts once it has struck: one that finds nobody to strike is none. */
async function strike(fault: ChaosFault, { world, struck }: Soak, dice: Dice): Promise<void> {
  await pause(dice.upTo(stormMs));
  await fault.strike(world, dice).then(
    () => struck.set(fault.name, (struck.get(fault.name) ?? 0) + 1),
    () => {},
  );
}
