/** The properties of a depot by which a client decides whether a depot is meant for it. */
export interface DepotAudience {
  /** As in product info: `windows`, `linux`, or several joined by commas; absent means every system. */
  osList?: string;
  /** `64` or `32`; absent means both. */
  osArch?: string;
  /** The platform's own word (`german`, `koreana`); absent means every language. */
  language?: string;
}

/** One version of a depot's content, as the CM announces it and the CDN serves it. */
export interface Depot extends DepotAudience {
  depotId: number;
  name: string;
  /** The 32-byte AES key of file names and chunks; two versions of one depot share it. */
  key: Buffer;
  /** The manifest's 64-bit id in decimal. */
  manifestId: string;
  /** What the files hold once installed, and what their chunks weigh on the wire. */
  sizeOnDisk: number;
  sizeToDownload: number;
  /** The zip served at `/depot/<id>/manifest/<manifest id>/5/<request code>`. */
  rawManifest: Buffer;
  /** What a client should end up with, to compare with; a hostile manifest tells otherwise. */
  files: readonly DepotFile[];
  /** The names of the chunks, each once. */
  chunkIds: readonly string[];
  /** A chunk as served (compressed, then encrypted), by its sha1 in lower-case hex. */
  chunk(sha1Hex: string): Buffer | undefined;
}

/** Bytes that are read where they are needed, so that a large file never has to be in memory. */
export interface FileContent {
  size: number;
  read(offset: number, length: number): Buffer;
}

/** A file, directory or link as the builder is told of it; names keep the separators they are given. */
export type DepotFile =
  | { kind: 'file'; name: string; content: FileContent | Buffer; executable?: boolean }
  | { kind: 'directory'; name: string }
  | { kind: 'symlink'; name: string; target: string };

export function contentOf(source: FileContent | Buffer): FileContent {
  if (!Buffer.isBuffer(source)) return source;
  return { size: source.length, read: (offset, length) => source.subarray(offset, offset + length) };
}
