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
