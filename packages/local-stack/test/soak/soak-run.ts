import { setTimeout as pause } from 'node:timers/promises';
import { ChaosWorld } from '../chaos/chaos-world.ts';
import { Dice } from '../chaos/dice.ts';
import { type ChaosFault, deck } from '../chaos/faults.ts';
import { Observer } from '../chaos/observer.ts';
import { Players } from '../chaos/players.ts';
import type { Codes } from '../chaos/way-truth.ts';
import { Decks } from './decks.ts';
import { Load } from './load.ts';
import { LogWatch } from './log-watch.ts';
import { Peace } from './peace.ts';
import { SessionWatch } from './session-watch.ts';
import { type Account, account, Progress } from './soak-account.ts';
import { killsOfAll, sparesServices, surroundingFaults } from './soak-faults.ts';
import { SoakSurroundings } from './surroundings.ts';
import { Weights } from './weights.ts';

export interface SoakOptions {
  readonly seed: number;
  readonly forMs: number;
}

/** Shares of the time: before the first and after the second everything is killed, between them the services run on. */
const steady = { from: 0.2, to: 0.92 } as const;
/** However slow the machine is: all that can be killed, all that can happen around, and enough after that to weigh lives by. */
const fewestStorms = 8;
const mostAtOnce = 5;
const stormMs = 600;
const playersInAStorm = 4;
const stormsBetweenRebinds = 6;

/** Storms and calm in turn, for as long as it is told, with the API in use throughout. */
export async function runSoak({ seed, forMs }: SoakOptions): Promise<Account> {
  const dice = new Dice(seed);
  let around: SoakSurroundings | undefined;
  await using world = await ChaosWorld.create({
    mode: 'listen',
    seed,
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
  const logs = new LogWatch(world);
  const weights = new Weights(around);
  const players = new Players(world, observer, dice);
  await using load = new Load(around.wires.clients.port, new Dice(seed + 1));
  const struck = new Map<string, number>();
  const soak = { world, around, observer, session, logs, weights, players, load, struck };
  await using progress = new Progress(soak, forMs);
  const peace = new Peace(world, observer, players, load);
  const aroundThem = surroundingFaults(around);
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
  const calm = async (codes: Codes, index: number): Promise<void> => {
    await peace.reign(codes, index % stormsBetweenRebinds === 1);
    await weights.look();
    check();
  };

  let codes = await observer.back();
  await calm(codes, 0);
  for (let index = 0; progress.share < 1 || index < fewestStorms; index += 1) {
    const faults = storm(index);
    for (const { name } of faults) struck.set(name, (struck.get(name) ?? 0) + 1);
    await Promise.all([
      ...faults.map((fault) => strike(fault, world, dice)),
      players.tryInTheStorm(codes, playersInAStorm),
      players.intrude(codes),
    ]);
    codes = await observer.back();
    progress.storms += 1;
    await calm(codes, index + 1);
  }
  // The token that the session file holds now is all that a new start has.
  await world.sidecar.strike('SIGKILL', 0);
  await observer.back();
  await load.stop();
  logs.look(0);
  check();
  return account(soak, progress);
}

async function strike(fault: ChaosFault, world: ChaosWorld, dice: Dice): Promise<void> {
  await pause(dice.upTo(stormMs));
  // A fault that finds nobody to strike strikes all the same.
  await fault.strike(world, dice).catch(() => {});
}
