import { z } from 'zod';
import type { ChaosWorld } from '../chaos/chaos-world.ts';
import type { Strikable, Ward } from '../chaos/ward.ts';

/** Pino's levels: 50 is error, 60 fatal. */
const errorLevel = 50;
/** The newest lines stay where they are: others look for some of them. */
const keptLines = 2_000;

const thrown = z.object({ message: z.unknown().optional(), code: z.unknown().optional() });

/** Nothing but its level decides whether it is read: what is thrown may be no Error, or have a number for its code. */
const line = z.object({
  level: z.number(),
  msg: z.string().catch(''),
  operation: z.string().nullish().catch(undefined),
  err: thrown.optional().catch({}),
});

/** What a disk that is full makes a service say at the level of an error, and nothing else may. */
const ofAFullDisk = [
  /^STATE_DIR cannot be written \(ENOSPC\)/,
  /^the ownership map cannot be kept up to date$/,
  /^\S+farmhand-ownership\.json cannot be written \(ENOSPC\)/,
];

/** Reads everything that the services write, and forgets it. */
export class LogWatch {
  readonly violations: string[] = [];
  readonly expected = new Map<string, number>();
  /** Operations whose line of the audit stands in the log alone. */
  readonly onlyLogged = new Set<string>();
  /** How often the thread that writes the database died under the service. */
  writerDeaths = 0;
  lines = 0;
  readonly #world: ChaosWorld;
  readonly #others: readonly Ward[];

  constructor(world: ChaosWorld, others: readonly Ward[]) {
    this.#world = world;
    this.#others = others;
  }

  /** `keep`: how many of the newest lines of each stream wait for the next look. */
  look(keep = keptLines): void {
    const { sidecar, api, farm, platform } = this.#world;
    for (const ward of [sidecar, api, farm, platform, ...this.#others].filter(isWard)) {
      for (const text of ward.drain(keep)) this.#read(ward.name, text);
    }
  }

  #read(name: string, text: string): void {
    this.lines += 1;
    if (!text.startsWith('{')) {
      if (/unhandled|uncaught|Warning:|^\s+at /i.test(text)) this.violations.push(`${name}: ${text}`);
      return;
    }
    const read = line.safeParse(JSON.parse(text));
    if (!read.success) return;
    const { level, msg, operation, err } = read.data;
    if (/this is only in the log/.test(msg) && operation) this.onlyLogged.add(operation);
    if (/^the thread that writes the database died/.test(msg)) this.writerDeaths += 1;
    if (level < errorLevel) return;
    const fits = ofAFullDisk.find((each) => each.test(msg));
    const why = `${err?.code ?? ''} ${err?.message ?? ''}`;
    if (fits !== undefined && (err === undefined || /ENOSPC/.test(why)))
      this.expected.set(msg, (this.expected.get(msg) ?? 0) + 1);
    else this.violations.push(`${name}: ${text.slice(0, 1_000)}`);
  }
}

function isWard(ward: Strikable): ward is Ward {
  return 'drain' in ward;
}
