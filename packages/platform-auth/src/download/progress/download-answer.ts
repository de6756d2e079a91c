import type { DownloadAnswer } from '@steward/shared/sidecar/download';
import type { Marker } from '../kept/marker.ts';
import type { PlanFigures } from '../plan/plan.ts';
import type { ProgressSnapshot } from './progress.ts';

const secondMs = 1_000;

/** A download's progress as `GET /download` tells it. */
export function progressAnswer(now: ProgressSnapshot): NonNullable<DownloadAnswer['progress']> {
  return {
    stage: now.stage,
    bytes_done: now.doneBytes,
    bytes_total: now.totalBytes,
    bytes_per_second: Math.round(now.bytesPerSecond),
    ...(now.leftMs === undefined ? {} : { seconds_left: Math.ceil(now.leftMs / secondMs) }),
    ...(now.file === undefined ? {} : { file: now.file }),
    bytes_fetched: now.fetchedBytes,
    ...(now.figures === undefined ? {} : { plan: planAnswer(now.figures) }),
  };
}

export function planAnswer(figures: PlanFigures) {
  const { kept, stripped, there, toWrite, toFetch, toRemove } = figures;
  return {
    kept,
    stripped: { files: stripped.files, bytes: stripped.bytes },
    there,
    to_write: toWrite,
    to_fetch: { chunks: toFetch.chunks, bytes: toFetch.bytes, stored_bytes: toFetch.storedBytes },
    to_remove: toRemove,
  };
}

/** What is in GAME_DIR, from its marker. */
export function gameAnswer(marker: Marker): NonNullable<DownloadAnswer['game']> {
  return {
    downloaded_at: marker.downloadedAt,
    languages: marker.languages,
    files: marker.totalFiles,
    bytes: marker.totalBytes,
    apps: marker.apps.map(({ appId, depots }) => ({
      app_id: appId,
      depots: depots.map(({ depotId, manifestId }) => ({ depot_id: depotId, manifest_id: manifestId })),
    })),
  };
}
