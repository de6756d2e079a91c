/** Makes of what one version wrote what the next would have written. Touches no disk. */
export type Migration<Written> = (written: Written) => Written;

/** The versions of a file that is read back after an upgrade, and how they are told to an operator. */
export interface FileVersions<Written> {
  /** What an operator calls it. */
  readonly name: string;
  /** Where it lies, as the variables name it. */
  readonly place: string;
  /** The version that is written. */
  readonly current: number;
  /** The first makes version 2 of version 1, and so on up to the current one. */
  readonly migrations: readonly Migration<Written>[];
  /** The version of a file that names none; where this is not said, such a file is nobody's. */
  readonly unversioned?: number;
  /** What becomes of a file of a newer version, and of the service that meets it. */
  readonly whenNewer: string;
}

export type Upgraded<Written> =
  | { readonly kind: 'current'; readonly written: Written }
  | Newer
  | { readonly kind: 'unknown' };

/** A file of a newer version is not corrupt: the program that wrote it will want it back, byte for byte. */
export interface Newer {
  readonly kind: 'newer';
  /** Completes "the file …". */
  readonly reason: string;
}

export const newerRemedy =
  'Update to the version that wrote it, or put back what you kept before the upgrade: docs/upgrades.md';

/** Brings what a file holds, and the version that it names, up to the current version. */
export function upgraded<Written>(
  versions: FileVersions<Written>,
  named: unknown,
  written: Written,
): Upgraded<Written> {
  const { current, migrations, unversioned } = versions;
  const version = named === undefined ? unversioned : named;
  if (typeof version !== 'number') return { kind: 'unknown' };
  if (version > current) return newer(versions, version);
  if (!Number.isInteger(version) || version < 1) return { kind: 'unknown' };
  try {
    const steps = migrations.slice(version - 1);
    return { kind: 'current', written: steps.reduce((older, migrate) => migrate(older), written) };
  } catch {
    // What a migration cannot make anything of was never a file of its version.
    return { kind: 'unknown' };
  }
}

/** Throws for a table that does not lead from each version to the current one. */
export function checkVersions({
  name,
  current,
  migrations,
}: Pick<FileVersions<unknown>, 'name' | 'current'> & { readonly migrations: readonly unknown[] }): void {
  if (migrations.length !== current - 1)
    throw new Error(`${name}: version ${current} wants ${current - 1} migrations, not ${migrations.length}`);
}

function newer({ current }: Pick<FileVersions<unknown>, 'current'>, version: number): Newer {
  return {
    kind: 'newer',
    reason: `was written by a newer version of this program (format ${version}; this one reads up to ${current})`,
  };
}
