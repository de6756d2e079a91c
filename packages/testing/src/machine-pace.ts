import { ownMs } from './loop-delay.ts';

const everyMs = 100;
/** Half a minute: what counts is the machine as it is now. */
const keptPieces = 300;
const warmUps = 20;

/** What one piece of work takes on the machine that the limits in the tests were set on, with nothing beside it. */
const usualMs = 0.8;

const text = JSON.stringify(
  Array.from({ length: 400 }, (_, index) => ({
    id: `${index}`,
    name: `farmer ${index}`,
    share: index * 1.5,
  })),
);

function readFarmers(): void {
  for (let round = 0; round < 8; round += 1) JSON.parse(text);
}

interface Piece {
  readonly passedMs: number;
  readonly processorMs: number;
}

/**
 * Measures how fast the machine is while a test runs, so that a limit in milliseconds fails for what the product does and not for
 * the machine: the same code takes ten times as long where a neighbour has the processor. Hard limits belong to `benchmarks/`.
 */
export class MachinePace implements Disposable {
  readonly #timer: NodeJS.Timeout;
  readonly #work: () => void;
  readonly #pieces: Piece[] = [];

  constructor(work = readFarmers) {
    this.#work = work;
    for (let piece = 0; piece < warmUps; piece += 1) work();
    this.#measure();
    this.#timer = setInterval(() => this.#measure(), everyMs).unref();
  }

  /** How many times as long as usual things take; never less than once. */
  get slowness(): number {
    return this.#timesAsLong(({ passedMs }) => passedMs);
  }

  /** The same for processor time, which other programs in the same system do not add to. */
  get processorSlowness(): number {
    return this.#timesAsLong(({ processorMs }) => processorMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #measure(): void {
    const startMs = performance.now();
    // Linux brings `threadCpuUsage` up to date every 4 ms: most pieces would take nothing.
    const ownStartMs = ownMs();
    this.#work();
    this.#pieces.push({ passedMs: performance.now() - startMs, processorMs: ownMs() - ownStartMs });
    if (this.#pieces.length > keptPieces) this.#pieces.shift();
  }

  #timesAsLong(of: (piece: Piece) => number): number {
    const sum = this.#pieces.reduce((all, piece) => all + of(piece), 0);
    return Math.max(1, sum / this.#pieces.length / usualMs);
  }
}
