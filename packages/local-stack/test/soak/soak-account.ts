import type { ChaosWorld } from '../chaos/chaos-world.ts';
import type { Observer } from '../chaos/observer.ts';
import type { Players } from '../chaos/players.ts';
import type { House } from '../house/house.ts';
import type { Reckoning } from '../house/reckoning.ts';
import type { Load } from './load.ts';
import type { LogWatch } from './log-watch.ts';
import type { SessionWatch } from './session-watch.ts';
import type { SoakSurroundings } from './surroundings.ts';
import type { Weights } from './weights.ts';

const everyMs = 30_000;

/** All who take part in a soak, and what has struck. */
export interface Soak {
  readonly world: ChaosWorld;
  readonly around: SoakSurroundings;
  readonly observer: Observer;
  readonly session: SessionWatch;
  readonly logs: LogWatch;
  readonly weights: Weights;
  readonly players: Players;
  readonly load: Load;
  readonly house: House;
  readonly struck: Map<string, number>;
}

/** What a soak has been through. */
export interface Account {
  readonly storms: number;
  readonly faults: number;
  readonly joins: number;
  readonly changes: number;
  readonly reads: number;
  readonly lines: number;
  readonly backups: number;
  /** Of the thread that writes the database. */
  readonly writerDeaths: number;
  /** How often each process was killed. */
  readonly kills: readonly number[];
  readonly weights: Weights;
  readonly house: House;
  readonly reckoning: Reckoning;
  readonly text: string;
}

/** How far it is, a line now and then. */
export class Progress implements AsyncDisposable {
  storms = 0;
  readonly #began = performance.now();
  readonly #forMs: number;
  readonly #soak: Soak;
  readonly #timer: NodeJS.Timeout;

  constructor(soak: Soak, forMs: number) {
    this.#soak = soak;
    this.#forMs = forMs;
    this.#timer = setInterval(() => process.stdout.write(`${this.line}\n`), everyMs);
  }

  /** Of the time that it shall take, from 0 to 1. */
  get share(): number {
    return (performance.now() - this.#began) / this.#forMs;
  }

  get line(): string {
    const { weights, load, house } = this.#soak;
    const seconds = Math.round((performance.now() - this.#began) / 1_000);
    return [
      `soak ${seconds} s: ${this.storms} storms`,
      `${joinsOf(this.#soak)} joins, ${load.ledger.lines} lines heard, ${changesOf(load)} changes, ${readsOf(load)} reads`,
      `control API ${weights.latest('controlApi')}`,
      `sidecar ${weights.latest('sidecar')}`,
      `farm ${weights.latest('farm')}`,
      `Discord bot ${weights.latest('discordBot')}`,
      house.page.text,
    ].join('; ');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
  }
}

export function account(soak: Soak, progress: Progress, reckoning: Reckoning): Account {
  const { world, around, load, logs, session, struck, weights, players, house } = soak;
  const outcomes = sums(load.scripts.map((script) => script.outcomes));
  const receipts = sums(load.bots.map(({ receipts: { counts } }) => counts));
  const replays = load.scripts.reduce((sum, script) => sum + script.replays, 0);
  const faults = [...struck.values()].reduce((sum, each) => sum + each, 0);
  const text = [
    progress.line,
    reckoning.text,
    `${faults} faults: ${listed(struck)}`,
    `changes: ${listed(outcomes)}; ${replays} sent again; ${load.scripts.reduce((sum, each) => sum + each.retries, 0)} tries`,
    `chat: ${load.ledger.told} lines told, receipts: ${listed(receipts)}; ${load.bots.reduce((sum, each) => sum + each.connections, 0)} connections`,
    `${load.backups.made} backups`,
    `session: ${session.looks} looks, ${session.renewals} renewals; disks ${around.disks.state.isReal ? 'real' : 'pretended'}`,
    `log: ${logs.lines} lines, ${logs.writerDeaths} deaths of the thread that writes the database, errors expected: ${listed(logs.expected)}`,
    `${players.refused.strangers} strangers refused, ${players.rebinds} rebound, ${players.refused.inTheStorm} turned away in a storm`,
    `longest turns: ${listed(new Map(Object.entries(weights.turnsMs).map(([name, ms]) => [name, Math.round(ms)])))}`,
  ].join('\n  ');
  return {
    storms: progress.storms,
    faults,
    joins: joinsOf(soak),
    changes: changesOf(load),
    reads: readsOf(load),
    lines: load.ledger.lines,
    backups: load.backups.made,
    writerDeaths: logs.writerDeaths,
    kills: [...world.wards, house.discord.bot].map((ward) => ward.struck.SIGKILL),
    weights,
    house,
    reckoning,
    text,
  };
}

function joinsOf({ players }: Soak): number {
  return [...players.joins.values()].reduce((sum, each) => sum + each, 0);
}

function changesOf({ scripts }: Load): number {
  return scripts.reduce((sum, { changes }) => sum + changes, 0);
}

function readsOf({ readers }: Load): number {
  return readers.reduce((sum, { reads }) => sum + reads, 0);
}

function sums(counts: readonly Readonly<Record<string, number>>[]): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const each of counts)
    for (const [name, times] of Object.entries(each)) all.set(name, (all.get(name) ?? 0) + times);
  return all;
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, times]) => `${times} ${name}`).join(', ');
}
