import type { Clock } from '@steward/service-kit/clock';
import type { GameUpdate } from '@steward/shared/sidecar/game-update';
import type { PlatformSession } from '../../platform/platform-session.ts';
import type { Marker } from '../kept/marker.ts';
import type { Places } from '../names/places.ts';
import type {
  DownloadEvents,
  DownloadSummary,
  ProgressListener,
  ProgressSnapshot,
} from '../progress/progress.ts';
import type { Why } from './why-missing.ts';

/** What the background download works with. */
export interface GameFilesParts {
  readonly places: Places;
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
  readonly clock: Clock;
  readonly random: () => number;
  readonly listener: GameFilesListener;
}

/** Told what it does. */
export interface GameFilesListener extends ProgressListener {
  progress(snapshot: ProgressSnapshot): void;
  failed(problem: Why, retryInMs: number): void;
  /** What a crash interrupted could not be completed; the download that follows tries again. */
  incomplete(problem: Why): void;
  done(summary: DownloadSummary, snapshot: ProgressSnapshot): void;
}
