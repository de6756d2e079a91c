/** A piece of a file, by which the platform delivers it. */
export interface ManifestChunk {
  /** The sha1 of the piece's bytes, lower-case hex. */
  readonly id: string;
  /** Where in the file it begins. */
  readonly offset: number;
  readonly bytes: number;
  /** What it weighs on the wire: compressed and encrypted. */
  readonly storedBytes: number;
}

export interface ManifestFile {
  /** As decrypted, with `/` between its parts, and otherwise untrusted. */
  readonly name: string;
  readonly bytes: number;
  readonly kind: 'file' | 'directory' | 'link';
  readonly executable: boolean;
  /** Of a link; untrusted like the name. */
  readonly linkTarget?: string;
  readonly chunks: readonly ManifestChunk[];
  /** Of the whole file, lower-case hex; absent where the manifest says none. */
  readonly sha1?: string;
}

/** What one version of one depot consists of. */
export interface DepotManifest {
  readonly appId: number;
  readonly depotId: number;
  /** 64 bits, decimal. */
  readonly manifestId: string;
  readonly files: readonly ManifestFile[];
}

/** What the platform has for us. */
export interface Catalogue {
  /** All depots of one app, on its branch, that fit this system. */
  manifestsOf(appId: number, signal: AbortSignal): Promise<readonly DepotManifest[]>;
}

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

/** The platform cuts files at 1 MiB. A chunk is in memory whole, several at a time, so there has to be an end. */
export const mostChunkBytes = 16 * 1024 * 1024;

/** Each costs memory; the game has a few thousand of either, and an archive of a few kilobytes could name millions. */
export const mostFiles = 100_000;
export const mostChunks = 200_000;

/** No file of a game comes near; beyond it a size is a lie or a mistake. */
export const mostFileBytes = 1024 ** 4;
