import type { DownloadStage } from '@steward/shared/sidecar/download';
import type { ManifestChunk } from '../manifest/manifest.ts';
import type { PlanFigures } from '../plan/plan-figures.ts';
import type { WantedFile } from '../plan/wanted-tree.ts';

export interface DownloadSummary {
  readonly figures: PlanFigures;
  /** Nothing had to be done. */
  readonly wasThere: boolean;
}

export type ToldFile = Pick<WantedFile, 'name' | 'bytes'>;

export type ToldChunk = Pick<ManifestChunk, 'bytes' | 'storedBytes'>;

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
