import { fileURLToPath } from 'node:url';
import { median } from '@steward/testing/quantile';
import type { Comparison } from '../comparison.ts';
import { type Started, startOnce } from './started.ts';

const rounds = 5;

/** By what the machine is measured: the start of a bare server, the processor time of that, or what it has in memory. */
type Yardstick = keyof typeof onceBare;

/** What those were, in ms and MB, on the machine of docs/performance.md when bars were still absolute: a ratio of the same strictness is the old bar divided by it. */
const onceBare = { startMs: 71.3, startCpuMs: 61.2, idleMb: 75.2 } as const;

/** What says the same while the machine does something else: how long a start takes then would make any bar easy. */
const steady = { startCpuMs: 'bare start, CPU', idleMb: 'bare, idle' } as const;

const msPerSecond = 1_000;
/** A ratio has so many digits behind the point, and is cut off there: no bar gets looser by being made one. */
const ratioSteps = 1_000;

/** A bar that says the same on any machine as `most` did on the one that it was made on. */
export function bareBar(
  most: number,
  unit: string,
  by: Yardstick,
): Required<Pick<Comparison, 'atMost' | 'onceAtMost'>> {
  const atMost = Math.floor((most / inUnit(onceBare[by], unit)) * ratioSteps) / ratioSteps;
  return { atMost, onceAtMost: most };
}

/** Starts Node with nothing but a server. */
export function startBare(): Promise<Started> {
  const program = fileURLToPath(import.meta.resolve('./bare-server.ts'));
  return startOnce(program, (port) => ({ API_PORT: port }));
}

/** What this machine makes of a bare server now. */
export class Bare {
  readonly #started: readonly Started[];

  private constructor(started: readonly Started[]) {
    this.#started = started;
  }

  static async measured(): Promise<Bare> {
    const started: Started[] = [];
    for (let round = 0; round < rounds; round += 1) started.push(await startBare());
    return new Bare(started);
  }

  /** The figure beside it, with a bar that was absolute once. */
  beside(
    figure: Pick<Comparison, 'figure' | 'unit' | 'ours'>,
    by: keyof typeof steady,
    most: number,
  ): Comparison {
    const value = inUnit(median(this.#started.map((one) => one[by])), figure.unit);
    const limit = figure.ours.map(() => value);
    return { ...figure, limit, beside: steady[by], ...bareBar(most, figure.unit, by) };
  }
}

function inUnit(value: number, unit: string): number {
  return unit === 's' ? value / msPerSecond : value;
}
