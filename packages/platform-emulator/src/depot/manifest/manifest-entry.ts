/** The flags of a file in a manifest (docs/platform-emulator.md, wire: manifest). */
export const fileFlags = { executable: 32, directory: 64, symlink: 512 } as const;

export interface ManifestChunk {
  /** The sha1 of the chunk's plain bytes, by which it is fetched. */
  sha: Buffer;
  adler: number;
  offset: bigint;
  size: number;
  /** As served: compressed and encrypted. */
  servedSize: number;
}

/** One file as the manifest tells of it, which in a hostile manifest need not be the truth. */
export interface ManifestEntry {
  name: string;
  size: bigint;
  flags: number;
  contentSha: Buffer;
  chunks: ManifestChunk[];
  linkTarget?: string;
}
