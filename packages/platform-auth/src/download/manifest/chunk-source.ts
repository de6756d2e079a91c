import type { ManifestChunk } from './manifest.ts';

export interface WantedChunk {
  readonly depotId: number;
  readonly chunk: ManifestChunk;
}

/** Where chunks come from. */
export interface ChunkSource {
  /**
   * Bounded in flight and in memory. `deliver` gets bytes whose length and sha1 have been checked, and its promise is waited
   * for. Rejects on the first chunk that cannot be had from anywhere, or when aborted.
   */
  fetchAll<W extends WantedChunk>(
    wanted: Iterable<W> | AsyncIterable<W>,
    deliver: (wanted: W, data: Uint8Array) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
}
