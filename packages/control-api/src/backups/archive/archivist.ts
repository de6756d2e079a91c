import type { Manifest } from './manifest.ts';

/** What lies at `path`, a file or a folder with all below it, and under which name it stands in the archive. */
export interface Source {
  readonly into: string;
  readonly path: string;
  /** It had no links when it was chosen: what has become one is not followed. */
  readonly isResolved?: boolean;
}

export interface PackJob {
  /** Where the archive is to lie; nothing is there under this name before it is complete and was read back. */
  readonly to: string;
  readonly sources: readonly Source[];
  readonly about: Omit<Manifest, 'steward' | 'format' | 'leftOut' | 'entries'>;
}

/** Where what stands below each of these names in an archive is put: folders that are there and empty, or files that are not there. */
export type UnpackTo = Readonly<Record<string, string>>;

/**
 * Why an archive was not made or read. `changed`: what was copied changed meanwhile. `no-room`, `unwritable`, `unreadable`: the disk.
 * `damaged`: what it has is not what its manifest says, or is none of our archives. `newer`: a later version made it. `too-large`: there
 * is more of it than an archive may have.
 */
export class ArchiveError extends Error {
  readonly kind: 'changed' | 'no-room' | 'unwritable' | 'unreadable' | 'damaged' | 'newer' | 'too-large';

  constructor(kind: ArchiveError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Makes and reads archives, in a thread of its own: who waits for none of it feels none of it. */
export interface Archivist {
  pack(job: PackJob, signal?: AbortSignal): Promise<{ readonly manifest: Manifest; readonly bytes: number }>;
  /** Reads the beginning alone. */
  manifestOf(path: string): Promise<Manifest>;
  /** Reads all of it, and holds it against its manifest. */
  verify(path: string, signal?: AbortSignal): Promise<Manifest>;
  /** Verifies what it writes; where it throws, what it has written is for the caller to take away. */
  unpack(path: string, to: UnpackTo, signal?: AbortSignal): Promise<Manifest>;
}
