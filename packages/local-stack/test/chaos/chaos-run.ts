import { setTimeout as pause } from 'node:timers/promises';
import { type ChaosOptions, ChaosWorld } from './chaos-world.ts';
import { Dice } from './dice.ts';
import { type ChaosFault, deck } from './faults.ts';
import { Observer, type ObserverOptions } from './observer.ts';
import { Players } from './players.ts';
import { Progress } from './progress.ts';
import { type Tally, tallyOf } from './tally.ts';
import type { Codes } from './way-truth.ts';

export interface RunOptions extends ChaosOptions, ObserverOptions {
  /** Whole decks of faults. */
  readonly decks: number;
  /** What a deck is made of; everything that there is when absent. */
  readonly faults?: readonly ChaosFault[];
}

const mostAtOnce = 6;
/** Within this the faults of one storm strike. */
const stormMs = 400;
const playersInAStorm = 4;
const stormsBetweenRebinds = 4;

/** Storms of faults with people joining throughout; after each, everything comes back, and all is looked through. */
export async function runChaos(options: RunOptions): Promise<Tally> {
  const dice = new Dice(options.seed + options.mode.length);
  await using world = await ChaosWorld.create(options);
  await world.setUpAndStart();
  await using observer = new Observer(world, options);
  const players = new Players(world, observer, dice);
  const recoveries: number[] = [];
  const struck: string[] = [];
  const storms = stormsOf(options, dice);
  const progress = new Progress({
    mode: options.mode,
    faults: storms.flat().length,
    say: (line) => process.stderr.write(line),
    now: () => performance.now(),
  });

  const live = async (): Promise<void> => {
    let codes = await observer.back();
    await calm(players, observer, world, codes, 0);
    for (const [index, storm] of storms.entries()) {
      const moments = await strike(storm, world, dice, players, codes);
      struck.push(...storm.map(({ name }) => name));
      codes = await observer.back();
      const back = performance.now();
      recoveries.push(...moments.map((moment) => back - moment));
      await calm(players, observer, world, codes, index + 1);
      progress.reached({ joins: players.joined, faults: struck.length });
    }
  };
  await Promise.race([live(), world.failure]);
  return tallyOf({ world, players, observer, recoveries, struck });
}

function stormsOf({ decks, faults: all = deck }: RunOptions, dice: Dice): readonly ChaosFault[][] {
  const storms: ChaosFault[][] = [];
  for (let each = 0; each < decks; each += 1) {
    const faults = dice.shuffled(all);
    while (faults.length > 0) storms.push(faults.splice(0, 1 + Math.floor(dice.upTo(mostAtOnce))));
  }
  return storms;
}

/** When each of them struck. A fault that finds nobody to strike, as a farm that is down, strikes all the same. */
async function strike(
  storm: readonly ChaosFault[],
  world: ChaosWorld,
  dice: Dice,
  players: Players,
  codes: Codes,
): Promise<readonly number[]> {
  const faults = storm.map(async (fault) => {
    await pause(dice.upTo(stormMs));
    const moment = performance.now();
    await fault.strike(world, dice).catch(() => {});
    return moment;
  });
  const [moments] = await Promise.all([
    Promise.all(faults),
    players.tryInTheStorm(codes, playersInAStorm),
    players.intrude(codes),
  ]);
  return moments;
}

async function calm(
  players: Players,
  observer: Observer,
  world: ChaosWorld,
  codes: Codes,
  index: number,
): Promise<void> {
  await players.leaveAll();
  await players.comeInPeace(codes);
  await players.leaveAll();
  await players.intrude(codes);
  if (index % stormsBetweenRebinds === 1) await players.changeDoors(codes);
  // A farm that is played saves at the end of its day alone.
  await players.leaveAll();
  await world.orders.order('save');
  await observer.nextLook();
  observer.check();
}
