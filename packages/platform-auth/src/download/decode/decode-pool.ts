import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '@steward/service-kit/clock';
import { entryUrl } from '../../entries.ts';
import type { StoredChunk } from './decode-chunk.ts';
import { DecodeError } from './decode-error.ts';

/** Each holds memory, and more would wait for the network, as a rule. */
const mostWorkers = 4;
/** One that is decoded and one that waits for it, so that a worker never waits for this thread. */
const jobsPerWorker = 2;
/** A worker holds memory; one that has had nothing to do for this long ends. */
const idleMs = 10_000;
/** Decoders keep their bytes outside of the heap. */
const workerHeap = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 2 };

export type Decoded = { readonly plain: Uint8Array<ArrayBuffer> } | { readonly problem: string };

/** The answers, in their order; and between them, what whoever watches has to know of the decoder. */
export type FromDecoder = Decoded | { readonly warning: string };

interface Job {
  readonly chunk: StoredChunk;
  readonly resolve: (plain: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane {
  readonly worker: Worker;
  /** In the order in which the answers come. */
  readonly jobs: Job[];
  idling?: Timer;
}

export interface DecodePoolParts {
  readonly clock: Pick<Clock, 'after'>;
  /** As many as there are cores, unless a test says otherwise. */
  readonly workers?: number;
  readonly entry?: URL;
  /** Hears once of what every thread finds out for itself. */
  readonly warn?: ((text: string) => void) | undefined;
}

/** Decodes chunks in threads, which start when there is work and end when there is none. */
export class DecodePool {
  readonly #lanes = new Set<Lane>();
  readonly #waiting: Job[] = [];
  readonly #clock: Pick<Clock, 'after'>;
  readonly #mostLanes: number;
  readonly #entry: URL;
  #warn: ((text: string) => void) | undefined;

  constructor({ clock, workers, entry, warn }: DecodePoolParts) {
    this.#clock = clock;
    this.#mostLanes = workers ?? Math.min(availableParallelism(), mostWorkers);
    this.#entry = entry ?? entryUrl('decode-worker');
    this.#warn = warn;
  }

  /** How many threads there are now. */
  get workers(): number {
    return this.#lanes.size;
  }

  /** Takes `chunk.stored` away: its memory moves to the thread. Rejects with a DecodeError, also when a thread dies of it. */
  decode(chunk: StoredChunk): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ chunk, resolve, reject });
      this.#assign();
    });
  }

  /** Whatever waits for a thread is rejected: none is opened for it. */
  async close(): Promise<void> {
    for (const { reject } of this.#waiting.splice(0))
      reject(new DecodeError('was still waiting for a decoder'));
    await Promise.all([...this.#lanes].map(({ worker }) => worker.terminate()));
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const lane = this.#laneWithRoom();
      const job = lane && this.#waiting.shift();
      if (lane === undefined || job === undefined) return;
      lane.idling?.cancel();
      lane.worker.ref();
      lane.jobs.push(job);
      lane.worker.postMessage(job.chunk, transferable(job.chunk.stored));
    }
  }

  #laneWithRoom(): Lane | undefined {
    const byLoad = [...this.#lanes].sort((one, other) => one.jobs.length - other.jobs.length);
    const [least] = byLoad;
    if (least !== undefined && least.jobs.length === 0) return least;
    if (this.#lanes.size < this.#mostLanes) return this.#open();
    return least !== undefined && least.jobs.length < jobsPerWorker ? least : undefined;
  }

  #open(): Lane {
    const worker = new Worker(this.#entry, { resourceLimits: workerHeap });
    const lane: Lane = { worker, jobs: [] };
    this.#lanes.add(lane);
    worker.on('message', (message: FromDecoder) => {
      if ('warning' in message) this.#warned(message.warning);
      else this.#answered(lane, message);
    });
    // What it died of is in no message; `exit` follows.
    worker.on('error', () => {});
    worker.on('exit', () => this.#ended(lane));
    return lane;
  }

  #warned(text: string): void {
    this.#warn?.(text);
    this.#warn = undefined;
  }

  #answered(lane: Lane, answer: Decoded): void {
    const job = lane.jobs.shift();
    if ('plain' in answer) job?.resolve(answer.plain);
    else job?.reject(new DecodeError(answer.problem));
    this.#assign();
    if (lane.jobs.length > 0) return;
    // It must not keep a process alive that is done.
    lane.worker.unref();
    lane.idling = this.#clock.after(idleMs, () => this.#dismiss(lane));
  }

  /** What comes from now on is for another: the thread takes a moment to end. */
  #dismiss(lane: Lane): void {
    this.#lanes.delete(lane);
    void lane.worker.terminate();
  }

  #ended(lane: Lane): void {
    lane.idling?.cancel();
    this.#lanes.delete(lane);
    for (const { reject } of lane.jobs.splice(0)) reject(new DecodeError('crashed its decoder'));
    this.#assign();
  }
}

/** Only memory that holds nothing else can change hands; any other is copied. */
function transferable({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
