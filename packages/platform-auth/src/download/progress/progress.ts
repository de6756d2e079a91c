import type { Clock } from '@steward/service-kit/clock';
import type { DownloadStage } from '@steward/shared/sidecar/download';
import type { ManifestChunk } from '../manifest/manifest.ts';
import type { PlanFigures } from '../plan/plan.ts';
import type { WantedFile } from '../plan/wanted-tree.ts';

export interface DownloadSummary {
  readonly figures: PlanFigures;
  /** Nothing had to be done. */
  readonly wasThere: boolean;
}

type ToldFile = Pick<WantedFile, 'name' | 'bytes'>;

type ToldChunk = Pick<ManifestChunk, 'bytes' | 'storedBytes'>;

/** Told what a download does, as it does it. Nothing here may throw. */
export interface DownloadEvents {
  stage(stage: DownloadStage): void;
  /** How many bytes there are to look at, in the stage `checking`. */
  checkBegins(bytes: number): void;
  checked(file: ToldFile): void;
  /** `freeBytes`: what the disk of GAME_DIR has room for now. */
  planned(figures: PlanFigures, freeBytes: number): void;
  /** A chunk came from the platform. */
  fetched(chunk: ToldChunk): void;
  /** A chunk reached its place, from wherever it came. */
  written(chunk: ToldChunk, file: ToldFile): void;
  warning(text: string): void;
}

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

/** Long enough that a slow chunk does not show as a stop, short enough to show that the line got faster. */
const windowMs = 10_000;
const slotMs = 500;

interface Slot {
  readonly at: number;
  bytes: number;
}

/** How fast bytes come, over the last seconds. Times are those of a clock that never goes backwards. */
export class Rate {
  readonly #slots: Slot[] = [];
  #began: number | undefined;

  add(bytes: number, nowMs: number): void {
    this.#began ??= nowMs;
    const last = this.#slots.at(-1);
    if (last !== undefined && nowMs - last.at < slotMs) last.bytes += bytes;
    else this.#slots.push({ at: nowMs, bytes });
    this.#forget(nowMs);
  }

  perSecond(nowMs: number): number {
    this.#forget(nowMs);
    if (this.#began === undefined) return 0;
    const spanMs = Math.max(slotMs, Math.min(windowMs, nowMs - this.#began));
    const bytes = this.#slots.reduce((total, slot) => total + slot.bytes, 0);
    return (bytes * 1000) / spanMs;
  }

  #forget(nowMs: number): void {
    while (this.#slots[0] !== undefined && nowMs - this.#slots[0].at >= windowMs) this.#slots.shift();
  }
}
