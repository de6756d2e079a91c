import type { Clock } from '@steward/service-kit/clock';
import type { DownloadStage } from '@steward/shared/sidecar/download';
import type { PlanFigures } from '../plan/plan-figures.ts';
import type { DownloadEvents, ToldChunk, ToldFile } from './download-events.ts';
import { Rate } from './rate.ts';

export interface ProgressSnapshot {
  readonly stage: DownloadStage;
  /** Of this stage; both 0 in a stage that has no measure. */
  readonly doneBytes: number;
  readonly totalBytes: number;
  readonly bytesPerSecond: number;
  readonly leftMs?: number;
  readonly file?: string;
  /** Since the download began. */
  readonly fetchedBytes: number;
  readonly storedBytes: number;
  readonly elapsedMs: number;
  readonly figures?: PlanFigures;
}

export interface ProgressListener {
  stage(stage: DownloadStage): void;
  planned(figures: PlanFigures, freeBytes: number): void;
  fetched?(chunk: ToldChunk): void;
  warning(text: string): void;
}

/** Adds up what a download tells, for whoever shows it. */
export class Progress implements DownloadEvents {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #listener: ProgressListener;
  readonly #began: number;
  #stage: DownloadStage = 'locking';
  #done = 0;
  #total = 0;
  #file: string | undefined;
  #fetched = 0;
  #stored = 0;
  #rate = new Rate();
  #figures: PlanFigures | undefined;

  constructor(clock: Pick<Clock, 'now'>, listener: ProgressListener) {
    this.#clock = clock;
    this.#listener = listener;
    this.#began = clock.now();
  }

  get snapshot(): ProgressSnapshot {
    const now = this.#clock.now();
    const bytesPerSecond = this.#rate.perSecond(now);
    const left = this.#total - this.#done;
    return {
      stage: this.#stage,
      doneBytes: this.#done,
      totalBytes: this.#total,
      bytesPerSecond,
      ...(left > 0 && bytesPerSecond > 0 ? { leftMs: (left / bytesPerSecond) * 1000 } : {}),
      ...(this.#file === undefined ? {} : { file: this.#file }),
      fetchedBytes: this.#fetched,
      storedBytes: this.#stored,
      elapsedMs: now - this.#began,
      ...(this.#figures === undefined ? {} : { figures: this.#figures }),
    };
  }

  stage(stage: DownloadStage): void {
    this.#stage = stage;
    this.#measure(0, 0);
    if (stage === 'fetching' && this.#figures !== undefined)
      this.#measure(this.#figures.stagedBytes, this.#figures.toWrite.bytes);
    this.#listener.stage(stage);
  }

  checkBegins(bytes: number): void {
    this.#measure(0, bytes);
  }

  checked(file: ToldFile): void {
    this.#advance(file);
    this.#done += file.bytes;
  }

  planned(figures: PlanFigures, freeBytes: number): void {
    this.#figures = figures;
    this.#listener.planned(figures, freeBytes);
  }

  fetched(chunk: ToldChunk): void {
    this.#fetched += chunk.bytes;
    this.#stored += chunk.storedBytes;
    this.#listener.fetched?.(chunk);
  }

  written(chunk: ToldChunk, file: ToldFile): void {
    this.#advance(file);
    this.#done += chunk.bytes;
    this.#rate.add(chunk.bytes, this.#clock.now());
  }

  warning(text: string): void {
    this.#listener.warning(text);
  }

  #measure(done: number, total: number): void {
    this.#done = done;
    this.#total = total;
    this.#file = undefined;
    this.#rate = new Rate();
  }

  #advance({ name }: ToldFile): void {
    this.#file = name;
  }
}
