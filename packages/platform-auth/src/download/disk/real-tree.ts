import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { errorCode } from '@steward/service-kit/process/errors';
import { parentsOf } from '../names/file-name.ts';
import type { Places } from '../names/places.ts';
import { DownloadProblem, shown } from '../problems/problem.ts';

/** What lies at a name, without following links; undefined where nothing does. */
export async function lookAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * Whether all folders above a name are there and are folders. What lies behind a link is not what was published, and not ours
 * to remove.
 */
export async function liesInFolders(places: Places, name: string): Promise<boolean> {
  for (const parent of parentsOf(name))
    if ((await lookAt(places.inTree(parent)))?.isDirectory() !== true) return false;
  return true;
}

/** What will have been removed before anything is published. */
export interface Leaving {
  /** Files and links. */
  readonly names: ReadonlySet<string>;
  /** Those of them that are empty then. */
  readonly directories: ReadonlySet<string>;
}

const nothing: Leaving = { names: new Set(), directories: new Set() };

/**
 * The tree as it is on the disk, where others have been, too. It says of each name that is to be published whether something is
 * in the way, above all a link: what is written through one may land anywhere.
 */
export class RealTree {
  readonly #places: Places;
  readonly #leaving: Leaving;
  readonly #knownFolders = new Set<string>();

  constructor(places: Places, leaving = nothing) {
    this.#places = places;
    this.#leaving = leaving;
  }

  async checkPlace(name: string, kind: 'file' | 'link' | 'directory'): Promise<void> {
    for (const parent of parentsOf(name)) await this.#checkFolder(parent, name);
    const found = await lookAt(this.#places.inTree(name));
    if (found === undefined || this.#leaving.names.has(name)) return;
    if (kind === 'directory') {
      // A link to a folder of the operator's may stand for one: nothing is written through it, or its files would be refused.
      if (!found.isDirectory() && !found.isSymbolicLink()) throw inTheWay(name, 'a file');
    } else if (found.isDirectory() && !(await this.#empties(name))) throw inTheWay(name, 'a folder');
  }

  async #checkFolder(folder: string, name: string): Promise<void> {
    if (this.#knownFolders.has(folder)) return;
    const found = await lookAt(this.#places.inTree(folder));
    // Only what is a folder stays one: where nothing is yet, a link may be by the next time.
    if (found?.isDirectory() === true) this.#knownFolders.add(folder);
    else if (found !== undefined && !this.#leaving.names.has(folder)) {
      if (!found.isSymbolicLink()) throw inTheWay(folder, 'a file');
      throw new DownloadProblem(
        'disk',
        `${shown(folder)} in GAME_DIR is a link, and ${shown(name)} would be written through it`,
        'Replace the link with a folder; to have the game elsewhere, set GAME_DIR',
      );
    }
  }

  /** Whether a folder will be gone, because all that is in it will be. */
  async #empties(folder: string): Promise<boolean> {
    if (!this.#leaving.directories.has(folder)) return false;
    const entries = await readdir(this.#places.inTree(folder), { withFileTypes: true });
    for (const entry of entries) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory() ? !(await this.#empties(name)) : !this.#leaving.names.has(name)) return false;
    }
    return true;
  }
}

function inTheWay(name: string, what: string): DownloadProblem {
  return new DownloadProblem(
    'disk',
    `${shown(name)} in GAME_DIR is ${what}, where the game has something else`,
    'The downloader does not remove it: move it away',
  );
}
