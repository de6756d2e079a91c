import { dirname } from 'node:path';
import { readRegular } from '@steward/service-kit/files/read-regular';
import { errorCode } from '@steward/service-kit/process/errors';
import type { DiskSteps } from '../disk/disk-steps.ts';
import { liesInFolders, lookAt, RealTree } from '../disk/real-tree.ts';
import { type InstalledRecord, nothingInstalled, recordFormat } from '../kept/installed.ts';
import type { Journal, PublishStep } from '../kept/journal.ts';
import { readKept } from '../kept/kept-file.ts';
import { folded } from '../names/file-name.ts';
import type { Places } from '../names/places.ts';
import { isUntouched } from '../plan/file-check.ts';
import { DownloadProblem } from '../problems/problem.ts';

/** Done before anything is decided: a disk that is too full for the new marker shows while the old game is whole. */
export async function layMarker(places: Places, steps: DiskSteps, text: string): Promise<void> {
  await steps.writeWhole(places.nextMarker, text);
  await steps.flush(places.nextMarker);
}

/** Carries out a journal from its beginning. All the while there is no marker, so that nobody takes the tree for whole. */
export async function rollForward(places: Places, steps: DiskSteps, content: Journal): Promise<void> {
  if (!(await hasLaid(places, content.marker))) await layMarker(places, steps, content.marker);
  await steps.remove(places.marker);
  await steps.flushNames(places.root);
  const next = await readKept(recordFormat, places.nextRecord);
  const record = next.kind === 'content' ? next.content : nothingInstalled;
  const publisher = new TreePublisher(places, steps, content, next.kind === 'absent' ? undefined : record);
  const touched = new Set<string>();
  for (const step of content.steps) {
    await publisher.carryOut(step);
    touched.add(dirname(places.inTree(step.name)));
  }
  for (const folder of touched) await ifThere(steps.flushNames(folder));
  await ifThere(steps.rename(places.nextRecord, places.record));
  await steps.rename(places.nextMarker, places.marker);
  await steps.flushNames(places.root);
  await steps.remove(places.journal);
  // The game is whole by now; where the room cannot be given back, the next download says why.
  await steps.removeDirectory(places.stage).catch(() => {});
}

/** It has its place already where this is carried out once more, and an older version laid it last. */
async function hasLaid(places: Places, text: string): Promise<boolean> {
  const laid = await readRegular(places.nextMarker).catch(() => undefined);
  return laid?.toString() === text;
}

/** The tree may have changed since the plan was made, so each step looks again whether it leads where it should. */
class TreePublisher {
  readonly #places: Places;
  readonly #steps: DiskSteps;
  readonly #real: RealTree;
  /** Where in the stage the file of a name is that comes; the names as a volume may have them that knows no case. */
  readonly #coming: ReadonlyMap<string, string>;
  /** What the tree is to be; undefined once it has its own place, which it gets after all files have theirs. */
  readonly #record: InstalledRecord | undefined;

  constructor(places: Places, steps: DiskSteps, journal: Journal, record: InstalledRecord | undefined) {
    this.#places = places;
    this.#steps = steps;
    this.#record = record;
    this.#real = new RealTree(places);
    this.#coming = new Map(
      journal.steps.flatMap((step) => (step.do === 'put' ? [[folded(step.name), step.from] as const] : [])),
    );
  }

  async carryOut(step: PublishStep): Promise<void> {
    const path = this.#places.inTree(step.name);
    switch (step.do) {
      case 'remove':
        return this.#remove(step.name, path);
      case 'remove-directory':
        if (await liesInFolders(this.#places, step.name)) await this.#steps.removeEmptyDirectory(path);
        return;
      case 'directory':
        await this.#real.checkPlace(step.name, 'directory');
        return this.#steps.makeDirectory(path);
      case 'link': {
        await this.#real.checkPlace(step.name, 'link');
        const aside = this.#places.staged('link');
        await this.#steps.makeDirectory(this.#places.stage);
        await this.#steps.remove(aside);
        await this.#steps.link(step.target, aside);
        return this.#steps.rename(aside, path);
      }
      case 'put':
        await this.#real.checkPlace(step.name, 'file');
        return this.#put(this.#places.staged(step.from), step.name, path);
    }
  }

  async #remove(name: string, path: string): Promise<void> {
    if (!(await liesInFolders(this.#places, name))) return;
    const from = this.#coming.get(folded(name));
    // The new file has its place already. Where the volume knows no case, the old name would now lead to it.
    if (from !== undefined && !(await isThere(this.#places.staged(from)))) return;
    const found = await lookAt(path);
    // A folder has come in its place, or in that of one above it, when this is done a second time.
    if (found !== undefined && !found.isDirectory()) await this.#steps.remove(path);
  }

  async #put(staged: string, name: string, path: string): Promise<void> {
    const found = await lookAt(staged);
    if (found === undefined) return this.#checkPut(name, path);
    if (!found.isFile())
      throw new DownloadProblem(
        'disk',
        `${staged}, which should become a file of the game, is not a file`,
        'Remove GAME_DIR/.download and run `platform-auth download`',
      );
    if (!(await isThere(dirname(path)))) await this.#steps.makeDirectory(dirname(path));
    return this.#steps.rename(staged, path);
  }

  /** What is not in the stage any more has been put in its place before; or somebody has made room there. */
  async #checkPut(name: string, path: string): Promise<void> {
    if (this.#record === undefined) return;
    const found = await lookAt(path);
    const meant = this.#record.files[name];
    if (found?.isFile() === true && meant !== undefined && isUntouched(found, meant)) return;
    // No further try could complete it; without it and the marker a download brings what is missing.
    await this.#steps.remove(this.#places.journal);
    throw new DownloadProblem(
      'disk',
      'The update cannot be completed: a file of it is gone from GAME_DIR/.download',
      'The service downloads the missing files again; without it, run `platform-auth download`',
    );
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await lookAt(path)) !== undefined;
}

async function ifThere(action: Promise<void>): Promise<void> {
  try {
    await action;
  } catch (error) {
    const code = errorCode(error);
    // Or below a folder that has become a file.
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
}
