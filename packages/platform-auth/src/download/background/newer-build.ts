import { rm } from 'node:fs/promises';
import { type Clock, every } from '@steward/service-kit/clock';
import { Problem } from '@steward/shared/problems/problem';
import { type Trouble, troubleText } from '@steward/shared/problems/trouble';
import type { GameStaging } from '@steward/shared/sidecar/download';
import { timestampOf } from '@steward/shared/wire-values';
import { HeldElsewhere, whoHolds } from '../disk/lock.ts';
import { checkOwnPlaces } from '../disk/prepare.ts';
import { lookAt } from '../disk/real-tree.ts';
import { readStagedBuild } from '../kept/journal.ts';
import { isExistingServers, type Marker, markerOf, readMarker } from '../kept/marker.ts';
import type { Places } from '../names/places.ts';
import { gameAnswer, progressAnswer } from '../progress/download-answer.ts';
import { Progress } from '../progress/progress.ts';
import { NothingStaged } from '../run/publish-staged.ts';
import { type GameFilesListener, type GameFilesParts, progressEveryMs } from './game-files.ts';
import { existingServers, filesAfter, type WhyMissing, whyOf } from './why-missing.ts';

export interface NewerBuildParts {
  readonly places: Places;
  /** Whether this service may bring files at all. */
  readonly isOn: boolean;
  /** Only while one is up. */
  readonly session: GameFilesParts['session'];
  /** Why there is none, and what mends it. */
  readonly sessionTrouble: () => Trouble;
  /** Brings what is new into the stage, and leaves the tree as it is. */
  readonly stage: GameFilesParts['download'];
  /** Puts what lies in the stage in its place. */
  readonly publish: (signal: AbortSignal) => Promise<void>;
  /** A publication that was cut off is the background download's to complete. */
  readonly completeLater: () => void;
  readonly clock: Clock;
  readonly listener: Pick<GameFilesListener, 'stage' | 'planned' | 'progress' | 'fetched' | 'warning'> & {
    /** `left`: what has become of the files. */
    incomplete(problem: WhyMissing, left: string): void;
    staged(isNew: boolean): void;
    published(): void;
  };
}

/** What is known beside the disk: that something is staged, the disk says. */
type Outcome = {
  readonly state: 'nothing-new' | 'failed';
  readonly since: Date;
  /** When the game beside it was downloaded: of another one it says nothing. */
  readonly beside: string | undefined;
} & Partial<Trouble>;

const cutOff = {
  reason: 'The service was stopped while it downloaded a newer build',
  remedy: 'POST /download continues where it stopped',
};

/** A newer build, beside the game that runs: looked for and staged when somebody asks, put in place when somebody says so. */
export class NewerBuild {
  readonly #parts: NewerBuildParts;
  readonly #stopping = new AbortController();
  #outcome: Outcome | undefined;
  #running: { readonly progress: Progress; readonly since: Date; readonly ended: Promise<void> } | undefined;
  #publishing: Promise<void> | undefined;

  constructor(parts: NewerBuildParts) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** What an earlier process was ended in. */
  async start(): Promise<void> {
    // What lies there is another service's, which may be at it.
    if (!this.#parts.isOn) return;
    const { places, clock } = this.#parts;
    const begun = await lookAt(places.staged(places.besideName)).catch(() => undefined);
    const beside = (await readMarker(places))?.downloadedAt;
    if (begun !== undefined && beside !== undefined && (await readStagedBuild(places)) === undefined)
      this.#outcome = { state: 'failed', since: clock.date(), beside, ...cutOff };
  }

  /** Where it stands beside a game, for `GET /download`; undefined where nobody has asked for it. */
  async answer({ downloadedAt }: Marker): Promise<GameStaging | undefined> {
    if (this.#running !== undefined) {
      const { progress, since } = this.#running;
      return { state: 'under-way', since: timestampOf(since), progress: progressAnswer(progress.snapshot) };
    }
    const staged = await readStagedBuild(this.#parts.places);
    const build = staged && markerOf(staged.marker);
    // Of a later try that failed the reason is told; what an earlier one has staged, it has taken away only where it came so far.
    const known = this.#outcome?.beside === downloadedAt ? this.#outcome : undefined;
    if (known?.state === 'failed' || build === undefined) {
      if (known === undefined) return undefined;
      const { since, beside: _, ...outcome } = known;
      return { ...outcome, since: timestampOf(since) };
    }
    return { state: 'staged', since: build.downloadedAt, build: gameAnswer(build) };
  }

  /** Begins to look; throws the Problem that says why it does not. */
  async look(): Promise<void> {
    const { places, session, sessionTrouble, clock, listener } = this.#parts;
    await this.#demand();
    const beside = (await readMarker(places))?.downloadedAt;
    if (beside === undefined)
      throw new Problem(
        'game-files-missing',
        (await isExistingServers(places))
          ? troubleText(existingServers)
          : 'The game’s files are incomplete: the service downloads the newest build by itself. GET /download shows the progress',
      );
    const isStaged = (await readStagedBuild(places)) !== undefined;
    // Since it was asked, somebody else may have begun.
    this.#refuseSecond();
    if (session() === undefined) {
      const { reason, remedy } = sessionTrouble();
      // A build that lies there can be published as before.
      if (!isStaged) this.#outcome = { state: 'failed', since: clock.date(), beside, reason, remedy };
      throw new Problem('platform-unavailable', troubleText({ reason, remedy }), {
        reason,
        remedy,
        retry: true,
      });
    }
    const progress = new Progress(clock, listener);
    this.#outcome = undefined;
    this.#running = { progress, since: clock.date(), ended: this.#run(progress) };
  }

  /** Until it is decided `signal` calls it off; throws the Problem that says why it is not published, or not whole. */
  async publish(signal: AbortSignal): Promise<void> {
    const { listener } = this.#parts;
    await this.#demand();
    this.#refuseSecond();
    const calledOff = AbortSignal.any([signal, this.#stopping.signal]);
    const publishing = this.#parts.publish(calledOff);
    this.#publishing = publishing.catch(() => {});
    try {
      await publishing;
      this.#outcome = undefined;
      listener.published();
    } catch (error) {
      if (error instanceof NothingStaged)
        throw new Problem('nothing-staged', 'No newer build is ready: POST /download looks for one');
      if (error instanceof HeldElsewhere) throw new Problem('download-under-way', error.message);
      // Whoever is gone by now may have left a disk behind that failed after it was decided.
      if (calledOff.aborted && error === calledOff.reason)
        throw new Problem('publication-failed', 'It was cancelled: nothing was published');
      const why = whyOf(error);
      await this.#tellIncomplete(why);
      throw new Problem('publication-failed', troubleText(why), { ...why, unforeseen: undefined });
    } finally {
      this.#publishing = undefined;
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#running?.ended, this.#publishing]);
  }

  async #demand(): Promise<void> {
    const { isOn, places } = this.#parts;
    if (!isOn)
      throw new Problem(
        'download-off',
        'PLATFORM_DOWNLOAD is off: another service downloads and updates the game’s files. Ask that service',
      );
    this.#refuseSecond();
    const held = await whoHolds(places);
    if (held !== undefined) throw new Problem('download-under-way', held.message);
  }

  #refuseSecond(): void {
    if (this.#running === undefined && this.#publishing === undefined) return;
    const what =
      this.#running === undefined ? 'A build is being installed' : 'The service is looking for a newer build';
    throw new Problem('download-under-way', `${what}: GET /download shows the progress`);
  }

  async #tellIncomplete(why: WhyMissing): Promise<void> {
    const { places, listener, completeLater } = this.#parts;
    listener.incomplete(why, await filesAfter(places));
    completeLater();
  }

  /** What was downloaded stays; where that cannot be noted, a later start tells another reason. */
  async #wasNotCutOff(): Promise<void> {
    const { places } = this.#parts;
    await checkOwnPlaces(places)
      .then(() => rm(places.staged(places.besideName), { force: true }))
      .catch(() => {});
  }

  async #run(progress: Progress): Promise<void> {
    const { stage, session, places, clock, listener } = this.#parts;
    const cancelReports = every(clock, progressEveryMs, () => listener.progress(progress.snapshot));
    let why: WhyMissing | undefined;
    try {
      await stage(session, progress, this.#stopping.signal);
    } catch (error) {
      why = whyOf(error);
      if (!this.#stopping.signal.aborted) await this.#wasNotCutOff();
    }
    cancelReports();
    const isNew = why === undefined && (await readStagedBuild(places)) !== undefined;
    const beside = (await readMarker(places))?.downloadedAt;
    this.#running = undefined;
    if (this.#stopping.signal.aborted) return;
    const since = clock.date();
    if (why !== undefined) {
      const { reason, remedy } = why;
      this.#outcome = { state: 'failed', since, beside, reason, ...(remedy === undefined ? {} : { remedy }) };
      // It begins with what is left of a publication.
      await this.#tellIncomplete(why);
    } else {
      if (!isNew) this.#outcome = { state: 'nothing-new', since, beside };
      listener.staged(isNew);
    }
  }
}
