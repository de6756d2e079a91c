import type { ChaosWorld } from './chaos-world.ts';
import type { Observer } from './observer.ts';
import type { Players } from './players.ts';

/** What a run has been through, in numbers. */
export interface Tally {
  readonly joins: number;
  readonly faults: number;
  /** By process. */
  readonly kills: Readonly<Record<string, number>>;
  readonly line: string;
}

export interface Ran {
  readonly world: ChaosWorld;
  readonly players: Players;
  readonly observer: Observer;
  readonly recoveries: readonly number[];
  readonly struck: readonly string[];
}

export function tallyOf({ world, players, observer, recoveries, struck }: Ran): Tally {
  const joins = players.joined;
  const kills = Object.fromEntries(world.wards.map(({ name, struck: { SIGKILL } }) => [name, SIGKILL]));
  const { inTheStorm, strangers } = players.refused;
  const slowest = Math.max(...recoveries);
  const mean = recoveries.reduce((sum, each) => sum + each, 0) / recoveries.length;
  const line = [
    `${world.mode}: ${joins} joins (${listed(players.joins)})`,
    `${inTheStorm} turned away in a storm, ${strangers} strangers refused, ${players.rebinds} rebound`,
    `${struck.length} faults (${listed(counted(struck))})`,
    `killed: ${listed(Object.entries(kills))}`,
    `back after ${Math.round(mean)} ms in the mean, ${Math.round(slowest)} ms at most`,
    `a dead code was shown for ${Math.round(observer.codes.slowestMs)} ms at most, ${observer.looks} looks`,
  ].join('; ');
  return { joins, faults: struck.length, kills, line };
}

function counted(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function listed(counts: Iterable<readonly [string, number]>): string {
  return [...counts].map(([name, times]) => `${times} ${name}`).join(', ');
}
