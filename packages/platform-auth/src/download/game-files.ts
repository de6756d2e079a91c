import type { DownloadAnswer } from '@steward/shared/sidecar/download';
import { timestampOf } from '@steward/shared/timestamp';
import type { Clock } from '../clock.ts';
import type { PlatformSession } from '../platform/platform-session.ts';
import { waitMs } from '../session/backoff.ts';
import { failureOf } from '../session/failure.ts';
import { ContentError } from './content-error.ts';
import { gameAnswer, progressAnswer } from './download-answer.ts';
import type { DownloadEvents, DownloadSummary } from './download-events.ts';
import { DownloadProblem } from './problem.ts';
import { Progress, type ProgressListener } from './progress/progress.ts';
import { readMarker } from './tree/marker.ts';
import type { Places } from './tree/places.ts';

export interface GameFilesParts {
  readonly places: Places;
  /** Only while one is up. */
  readonly session: () => PlatformSession | undefined;
  readonly download: (
    session: PlatformSession,
    events: DownloadEvents,
    signal: AbortSignal,
  ) => Promise<DownloadSummary>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly listener: GameFilesListener;
}

export interface GameFilesListener extends ProgressListener {
  failed(problem: Why, retryInMs: number): void;
  done(summary: DownloadSummary): void;
}

/** Why the files are missing still. */
export interface Why {
  readonly reason: string;
  readonly remedy?: string;
}

const notBegun: Why = {
  reason: 'The game’s files have not been downloaded, and there is no platform session',
};

/**
 * Downloads the game's files in the background of the service, when they are missing: once the platform session is up, and again
 * after every failure. What another process downloads meanwhile is noticed.
 */
export class GameFiles {
  readonly #parts: GameFilesParts;
  #since: Date;
  #why: Why = notBegun;
  #failures = 0;
  #nextRetry: Date | undefined;
  #cancelRetry = (): void => {};
  #running: { progress: Progress; abort: AbortController; ended: Promise<void> } | undefined;
  #stopped = false;

  constructor(parts: GameFilesParts) {
    this.#parts = parts;
    this.#since = parts.clock.date();
  }

  /** Where things stand, for `GET /download`. */
  async answer(): Promise<DownloadAnswer> {
    const since = timestampOf(this.#since);
    if (this.#running !== undefined)
      return { state: 'downloading', since, progress: progressAnswer(this.#running.progress.snapshot) };
    const marker = await readMarker(this.#parts.places);
    if (marker !== undefined) return { state: 'whole', since, game: gameAnswer(marker) };
    const retry = this.#nextRetry === undefined ? {} : { next_retry: timestampOf(this.#nextRetry) };
    return { state: 'missing', since, ...this.#why, ...retry };
  }

  /** The platform session is up: begins, if there is anything to begin. */
  loggedIn(): void {
    this.#cancelRetry();
    void this.#begin();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelRetry();
    this.#running?.abort.abort();
    await this.#running?.ended;
  }

  async #begin(): Promise<void> {
    this.#nextRetry = undefined;
    if (this.#running !== undefined || (await readMarker(this.#parts.places)) !== undefined) return;
    const session = this.#parts.session();
    if (session === undefined || this.#stopped || this.#running !== undefined) return;
    const { clock, listener } = this.#parts;
    const progress = new Progress(clock, listener);
    const abort = new AbortController();
    const ended = this.#run(session, progress, abort.signal).finally(() => {
      this.#running = undefined;
      this.#since = clock.date();
    });
    this.#since = clock.date();
    this.#running = { progress, abort, ended };
  }

  async #run(session: PlatformSession, progress: Progress, signal: AbortSignal): Promise<void> {
    try {
      const summary = await this.#parts.download(session, progress, signal);
      this.#failures = 0;
      this.#parts.listener.done(summary);
    } catch (error) {
      if (!this.#stopped) this.#failed(whyOf(error));
    }
  }

  #failed(why: Why): void {
    const { clock, random, listener } = this.#parts;
    this.#why = why;
    this.#failures += 1;
    const ms = waitMs('transient', this.#failures, random());
    this.#nextRetry = new Date(clock.date().getTime() + ms);
    this.#cancelRetry = clock.after(ms, () => void this.#begin());
    listener.failed(why, ms);
  }
}

/** Whatever was thrown, in words that hold no secret. */
export function whyOf(error: unknown): Why {
  if (error instanceof DownloadProblem) return { reason: error.reason, remedy: error.remedy };
  if (error instanceof ContentError) return { reason: error.message };
  return { reason: failureOf(error).reason };
}
