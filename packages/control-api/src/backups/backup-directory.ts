import { randomBytes } from 'node:crypto';
import { open, readdir, stat, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { errorCode } from '@steward/service-kit/process/errors';
import { type BackupFacts, backupFacts } from '@steward/shared/api/answers/backups';
import { backupFileEnds, backupIdPattern } from '@steward/shared/backups';
import { Problem } from '@steward/shared/problems/problem';
import { ArchiveError, type Archivist } from './archive/archivist.ts';
import { partOf, removeLeftovers } from './archive/leftovers.ts';
import type { Manifest } from './archive/manifest.ts';

const ownerOnly = 0o600;
const ownersFolder = 0o700;

/** A backup that lies there, and the operation that made it. */
export interface FoundBackup {
  readonly facts: BackupFacts;
  readonly operationId: string | undefined;
}

export interface UnreadableBackup {
  readonly file: string;
  readonly reason: string;
}

/** All that lies in BACKUP_DIR and looks like a backup, the newest first. */
export interface FoundBackups {
  readonly backups: readonly FoundBackup[];
  readonly unreadable: readonly UnreadableBackup[];
  readonly bytes: number;
}

/** What is to be a backup: where it is to lie, and where its copy of the database lies until then. */
export interface Draft {
  readonly id: string;
  readonly path: string;
  readonly database: string;
}

export interface BackupDirectoryParts {
  readonly path: string;
  readonly archivist: Pick<Archivist, 'manifestOf'>;
}

/** BACKUP_DIR: what lies there is all that is known of backups. */
export class BackupDirectory {
  readonly #parts: BackupDirectoryParts;
  /** What a file of this name, size and time was found to be: beginnings of archives are read once. */
  #known = new Map<string, FoundBackup | UnreadableBackup>();
  readonly #refused = new Set<string>();

  constructor(parts: BackupDirectoryParts) {
    this.#parts = parts;
  }

  async make(): Promise<void> {
    await makeDirectory(this.#parts.path, ownersFolder);
  }

  async list(): Promise<FoundBackups> {
    const { path } = this.#parts;
    const names = await readdir(path).catch((error: unknown) => error);
    if (!Array.isArray(names)) {
      const isAbsent = errorCode(names) === 'ENOENT';
      const reason = `BACKUP_DIR cannot be read (${errorCode(names)})`;
      return { backups: [], unreadable: isAbsent ? [] : [{ file: path, reason }], bytes: 0 };
    }
    const known = new Map<string, FoundBackup | UnreadableBackup>();
    const all: (FoundBackup | UnreadableBackup)[] = [];
    let bytes = 0;
    for (const name of names.filter(
      (each: string) => each.endsWith(backupFileEnds) && !each.startsWith('.'),
    )) {
      // What is taken away meanwhile is not there.
      const found = await stat(join(path, name)).catch(() => undefined);
      if (found === undefined) continue;
      bytes += found.size;
      const key = [name, found.size, found.mtimeMs, found.ino].join('/');
      const it = this.#known.get(key) ?? (await this.#read(name, found.size));
      if (it === undefined) continue;
      all.push(it);
      // What the disk would not give it may give the next time, and nothing of the file tells.
      if (!this.#refused.delete(name)) known.set(key, it);
    }
    this.#known = known;
    const backups = all.filter((each) => 'facts' in each);
    return {
      backups: backups.toSorted((one, other) => (one.facts.id < other.facts.id ? 1 : -1)),
      unreadable: all.filter((each) => 'file' in each),
      bytes,
    };
  }

  freeBytes(): Promise<number> {
    return freeBytes(this.#parts.path);
  }

  /** The path of a backup, whether one is there or not; undefined for what is no id. */
  pathOf(id: string): string | undefined {
    return backupIdPattern.test(id) ? join(this.#parts.path, `${id}${backupFileEnds}`) : undefined;
  }

  /** False where none is there. */
  async remove(id: string): Promise<boolean> {
    const path = this.pathOf(id);
    try {
      if (path !== undefined) await unlink(path);
      return path !== undefined;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  /** What is made at this moment. */
  async draft(now: Date): Promise<Draft> {
    const at = now.toISOString().replace(/\.[0-9]{3}|[-:]/g, '');
    const id = `${at}-${randomBytes(3).toString('hex')}`;
    const { path } = this.#parts;
    await this.make();
    return { id, path: join(path, `${id}${backupFileEnds}`), database: partOf(join(path, `${id}.db`)) };
  }

  /** Takes away what a process left that was killed. */
  async tidy(now: Date): Promise<void> {
    await removeLeftovers(this.#parts.path, now.getTime());
  }

  /** Undefined where it cannot be told now. */
  async #read(name: string, bytes: number): Promise<FoundBackup | UnreadableBackup | undefined> {
    const path = join(this.#parts.path, name);
    const id = name.slice(0, -backupFileEnds.length);
    try {
      const manifest = await this.#parts.archivist.manifestOf(path);
      if (manifest.id === id) return { facts: factsOf(manifest, bytes), operationId: manifest.operationId };
      return { file: name, reason: `it is the backup ${manifest.id} under another name` };
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      if (error.kind === 'unreadable') this.#refused.add(name);
      const isThere = await stat(path).catch(() => undefined);
      return isThere && { file: name, reason: error.message };
    }
  }
}

export function factsOf(manifest: Manifest, bytes: number): BackupFacts {
  return backupFacts.parse({ ...manifest, bytes });
}

export function notFound(id: string): Problem {
  return new Problem('backup-not-found', `There is no backup ${id}: GET /backups lists all backups`);
}

/** A new file that nobody else may read, for what SQLite is to write. */
export async function emptyFile(path: string): Promise<void> {
  const file = await open(path, 'wx', ownerOnly);
  await file.close();
}

/** What may still be written to the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
