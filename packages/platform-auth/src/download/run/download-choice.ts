import type { DiskSteps } from '../disk/disk-steps.ts';
import type { FreeSpace } from '../disk/free-space.ts';
import type { LanguageCode } from '../filter/languages.ts';
import type { Catalogue, ChunkSource } from '../manifest/manifest.ts';
import type { DownloadEvents } from '../progress/progress.ts';
import type { FolderProbe } from '../publish/folder-probe.ts';

/** What the operator wants. */
export interface DownloadChoice {
  readonly gameDirectory: string;
  readonly languages: readonly LanguageCode[];
  readonly keepFiles: readonly string[];
  readonly skipSdk: boolean;
  /** Reads every file that is there and repairs what is broken. */
  readonly verify: boolean;
  /** Fetches everything, whatever is there. */
  readonly anew: boolean;
}

/** What a download works with. */
export interface DownloadParts {
  readonly catalogue: Catalogue;
  readonly chunks: ChunkSource;
  readonly events: DownloadEvents;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** The command that downloads, for whoever finds the lock taken. */
  readonly command: string;
  /** The process that answers for it, for the same; this one where it is absent. */
  readonly pid?: number | undefined;
  /** GAME_DIR, where this run holds it already; given back at the end. */
  readonly held?: AsyncDisposable | undefined;
  readonly steps?: DiskSteps;
  readonly free?: FreeSpace;
  readonly probe?: FolderProbe;
}
