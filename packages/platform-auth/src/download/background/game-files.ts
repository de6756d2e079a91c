import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { type Clock, every, type Timer } from '@steward/service-kit/clock';
import type { DownloadAnswer, GameStaging, GameUpdate } from '@steward/shared/sidecar/download';
import { timestampOf } from '@steward/shared/wire-values';
import { noFailures, retryTime, type WaitEnd, waitMs, withOneMore } from '../../platform/backoff.ts';
import { type PassingFailure, PlatformFailure, passes } from '../../platform/failure.ts';
import type { PlatformSession } from '../../platform/platform-session.ts';
import { whoHolds } from '../disk/lock.ts';
import { isExistingServers, type Marker, readMarker } from '../kept/marker.ts';
import type { Places } from '../names/places.ts';
import { gameAnswer, progressAnswer } from '../progress/download-answer.ts';
import {
  type DownloadEvents,
  type DownloadSummary,
  Progress,
  type ProgressListener,
  type ProgressSnapshot,
} from '../progress/progress.ts';
import {
  existingServers,
  lost,
  notBegun,
  readOnly,
  switchedOff,
  type WhyMissing,
  whyOf,
} from './why-missing.ts';

/** What the background download works with. */
export interface GameFilesParts {
  readonly places: Places;
  /** Whether this service may bring files at all. */
  readonly isOn: boolean;
  /** Only while one is up. */
  readonly session: () => PlatformSession | undefined;
  readonly download: (
    session: () => PlatformSession | undefined,
    events: DownloadEvents,
    signal: AbortSignal,
  ) => Promise<DownloadSummary>;
  /** Completes a publication that a crash interrupted. */
  readonly complete: () => Promise<boolean>;
  /** Whether the platform has another build than the one that is there. */
  readonly update: (marker: Marker | undefined) => GameUpdate | undefined;
  /** What became of looking for one beside it. */
  readonly staging: (marker: Marker) => Promise<GameStaging | undefined>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly listener: GameFilesListener;
  /** Rejects where GAME_DIR cannot be written to. */
  readonly checkWritable?: () => Promise<void>;
}

/** Told what it does. */
export interface GameFilesListener extends ProgressListener {
  progress(snapshot: ProgressSnapshot): void;
  failed(problem: WhyMissing, retryInMs: number): void;
  /** What a crash interrupted could not be completed; the download that follows tries again. */
  incomplete(problem: WhyMissing): void;
  done(summary: DownloadSummary, snapshot: ProgressSnapshot): void;
}

/** Whether the marker is there still. */
const lookEveryMs = 300_000;

/** A log is read later: a line this often says enough. */
export const progressEveryMs = 10_000;

/**
 * Downloads the game's files in the background of the service, when they are missing: once the platform session is up, and again
 * after every failure. What another process downloads meanwhile is noticed.
 */
export class GameFiles {
  readonly #parts: GameFilesParts;
  #since: Date;
  #why: WhyMissing;
  #failures = noFailures;
  #nextRetry: WaitEnd | undefined;
  /** The next try has to wait, whatever happens: the platform has said so. */
  #leavesAlone = false;
  #nextTry: Timer | undefined;
  #cancelLook = (): void => {};
  #running: { progress: Progress; abort: AbortController; ended: Promise<void> } | undefined;
  #completing: Promise<boolean> | undefined;
  #stopped = false;
  /** All who ask meanwhile share it: a file server that does not answer costs one thread of Node's few, and not all. */
  #looking: Promise<DownloadAnswer> | undefined;
  /** Likewise, while a try to begin looks at the disk. */
  #isBeginning = false;
  /** What was seen last of files that another service brings. */
  #seen: DownloadAnswer['state'] | undefined;

  constructor(parts: GameFilesParts) {
    this.#parts = parts;
    this.#why = parts.isOn ? notBegun : switchedOff;
    this.#since = parts.clock.date();
  }

  get isDownloading(): boolean {
    return this.#running !== undefined;
  }

  /** Where things stand, for `GET /download`. */
  async answer(): Promise<DownloadAnswer> {
    if (this.#running !== undefined) {
      const { progress } = this.#running;
      const since = timestampOf(this.#since);
      return { state: 'downloading', since, progress: progressAnswer(progress.snapshot) };
    }
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return await this.#looking;
  }

  async #look(): Promise<DownloadAnswer> {
    const answer = await this.#onDisk();
    if (this.#parts.isOn || this.#seen === answer.state) return answer;
    if (this.#seen !== undefined) this.#since = this.#parts.clock.date();
    this.#seen = answer.state;
    return { ...answer, since: timestampOf(this.#since) };
  }

  async #onDisk(): Promise<DownloadAnswer> {
    const since = timestampOf(this.#since);
    const marker = await readMarker(this.#parts.places);
    const update = this.#parts.update(marker);
    if (marker !== undefined) {
      const staging = await this.#parts.staging(marker);
      const beside = {
        ...(update === undefined ? {} : { update }),
        ...(staging === undefined ? {} : { staging }),
      };
      return { state: 'whole', since, game: gameAnswer(marker), ...beside };
    }
    if (await isExistingServers(this.#parts.places)) return { state: 'whole', since, ...existingServers };
    const held = await whoHolds(this.#parts.places);
    if (held !== undefined) return { state: 'downloading', since, reason: held.reason, remedy: held.remedy };
    const { clock } = this.#parts;
    const retry = this.#nextRetry === undefined ? {} : { next_retry: retryTime(this.#nextRetry, clock) };
    const { reason, remedy } = this.#why;
    return { state: 'missing', since, reason, remedy, ...retry };
  }

  /** Before anybody is logged in: what needs no platform. */
  async start(): Promise<void> {
    if (!this.#parts.isOn) return;
    if (await this.#completed()) await this.#tellOfNoUpdates();
    else this.#keepLooking();
  }

  /** Somebody may remove what was whole, or make room for what is to be completed. */
  #keepLooking(): void {
    this.#cancelLook();
    // Whoever was told of trouble as the service stopped would keep it from ending.
    if (this.#stopped) return;
    this.#cancelLook = every(this.#parts.clock, lookEveryMs, () => {
      // Where a look is still under way, the disk may hang.
      if (this.#nextRetry === undefined && this.#looking === undefined && !this.#isBeginning)
        void this.#begin();
    });
  }

  async #completed(): Promise<boolean> {
    try {
      await this.#parts.complete();
      return true;
    } catch (error) {
      this.#why = whyOf(error);
      this.#parts.listener.incomplete(this.#why);
      return false;
    }
  }

  /** A game that is whole starts wherever it lies; only that nobody will update it has to be said, once. */
  async #tellOfNoUpdates(): Promise<void> {
    const { places, listener, checkWritable = () => access(places.root, constants.W_OK) } = this.#parts;
    if (await isExistingServers(places)) return listener.incomplete(existingServers);
    if ((await readMarker(places)) === undefined) return;
    await checkWritable().catch((error) => listener.incomplete(readOnly(error)));
  }

  /** The platform session is up: begins, if there is anything to begin. */
  loggedIn(): void {
    // A wait that the platform has asked for is not over because it lets the session in again.
    if (!this.#leavesAlone) {
      this.#nextTry?.cancel();
      // One that is under way looks for the session once it has looked at the disk.
      if (!this.#isBeginning) void this.#begin();
    }
    this.#keepLooking();
  }

  /** Somebody knows that the files are not whole any more. */
  look(): void {
    void this.#begin();
    // What cannot be completed now may be later, also where nobody has logged in yet.
    this.#keepLooking();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#nextTry?.cancel();
    this.#cancelLook();
    this.#running?.abort.abort();
    await Promise.all([this.#running?.ended, this.#completing]);
  }

  async #begin(): Promise<void> {
    this.#leavesAlone = false;
    this.#nextRetry = undefined;
    this.#isBeginning = true;
    try {
      await this.#beginNow();
    } finally {
      this.#isBeginning = false;
    }
  }

  async #beginNow(): Promise<void> {
    if (this.#running !== undefined) return;
    const marker = await readMarker(this.#parts.places);
    this.#parts.update(marker);
    if (!this.#parts.isOn) return;
    if (marker !== undefined) {
      this.#why = lost;
      return;
    }
    if (await isExistingServers(this.#parts.places)) return;
    if (this.#stopped || this.#running !== undefined) return;
    if (this.#parts.session() === undefined) {
      // What is decided already needs none; a download completes it by itself.
      this.#completing ??= this.#completed().finally(() => {
        this.#completing = undefined;
      });
      return;
    }
    const { clock, listener } = this.#parts;
    const progress = new Progress(clock, listener);
    const abort = new AbortController();
    this.#since = clock.date();
    this.#running = { progress, abort, ended: this.#run(progress, abort.signal) };
  }

  async #run(progress: Progress, signal: AbortSignal): Promise<void> {
    const { download, session, clock, listener } = this.#parts;
    const cancelReports = every(clock, progressEveryMs, () => listener.progress(progress.snapshot));
    const outcome = await download(session, progress, signal).then(
      (summary) => ({ summary }),
      (error: unknown) => ({ why: whyOf(error), waitsAs: passingClassOf(error) }),
    );
    cancelReports();
    this.#running = undefined;
    this.#since = clock.date();
    if (this.#stopped) return;
    if ('why' in outcome) return this.#failed(outcome.why, outcome.waitsAs);
    this.#failures = noFailures;
    this.#why = lost;
    listener.done(outcome.summary, progress.snapshot);
  }

  #failed(why: WhyMissing, waitsAs: PassingFailure['class']): void {
    const { clock, random, listener } = this.#parts;
    this.#why = why;
    this.#failures = withOneMore(this.#failures, waitsAs);
    const ms = waitMs(waitsAs, this.#failures.count, random());
    this.#nextRetry = { untilMs: clock.now() + ms, plannedMs: clock.date().getTime() + ms };
    this.#leavesAlone = waitsAs !== 'transient';
    this.#nextTry = clock.after(ms, () => void this.#begin());
    listener.failed(why, ms);
  }
}

/** Each try makes the wait longer that a platform has imposed. */
function passingClassOf(error: unknown): PassingFailure['class'] {
  return error instanceof PlatformFailure && passes(error.failure) ? error.failure.class : 'transient';
}
