import { Worker } from 'node:worker_threads';
import { entryUrl } from '../../entries.ts';
import { ArchiveError, type PackJob, type UnpackTo } from './archivist.ts';

export type Job =
  | { readonly kind: 'pack'; readonly job: PackJob; readonly part: string }
  | { readonly kind: 'manifest' | 'verify'; readonly path: string }
  | { readonly kind: 'unpack'; readonly path: string; readonly to: UnpackTo };

export interface Asked {
  readonly id: number;
  readonly job: Job;
}

export interface Given {
  readonly id: number;
  readonly result?: unknown;
  readonly failure?: {
    readonly kind?: ArchiveError['kind'];
    readonly message?: string;
    readonly error: unknown;
  };
}

interface Waiting {
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** A hostile manifest of the largest size takes half of it. */
const heap = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

/** A thread that makes and reads archives; it keeps the process alive as long as somebody waits for it. */
export class ArchiveThread {
  readonly #worker = new Worker(entryUrl('archivist'), { resourceLimits: heap });
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited = Promise.withResolvers<void>();
  #asked = 0;
  #cause: unknown;

  constructor() {
    this.#worker.on('message', (given: Given) => this.#given(given));
    this.#worker.on('error', (error) => {
      this.#cause = error;
    });
    this.#worker.on('exit', () => {
      for (const { failed } of this.#waiting.values())
        failed(this.#cause ?? new Error('the thread that makes and reads archives has ended'));
      this.#waiting.clear();
      this.#exited.resolve();
    });
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  ask(job: Job): Promise<unknown> {
    this.#asked += 1;
    const id = this.#asked;
    this.#worker.ref();
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      this.#worker.postMessage({ id, job } satisfies Asked);
    });
  }

  /** At once, whatever it is doing: who still waits is told the cause. */
  async end(cause?: unknown): Promise<void> {
    this.#cause = cause;
    void this.#worker.terminate();
    await this.#exited.promise;
  }

  #given({ id, result, failure }: Given): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.isIdle) this.#worker.unref();
    if (failure === undefined) waiting?.done(result);
    else if (failure.kind === undefined) waiting?.failed(failure.error);
    else waiting?.failed(new ArchiveError(failure.kind, failure.message ?? '', { cause: failure.error }));
  }
}
