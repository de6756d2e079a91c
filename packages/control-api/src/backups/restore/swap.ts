import { lchown, lstat, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { fileSteps } from '@steward/service-kit/files/replace-file';
import { errorCode } from '@steward/service-kit/process/errors';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import { z } from 'zod';

/** Inside of the folder whose contents are swapped, which may be a mount and cannot be renamed itself. No game takes it for a save. */
export const stageName = '.steward-restore';

/** What lies directly in a folder, and no way out of it: the record is read from a directory where a game may write. */
const nameInside = z.string().refine((name) => !/^\.{0,2}$|[/\0]/.test(name) && name !== stageName);

/** A folder in which names are replaced: each by what was unpacked for it, or by nothing. */
export const swapPlace = z.object({
  root: z.string(),
  coming: z.array(nameInside),
  leaving: z.array(nameInside),
});

export type SwapPlace = Readonly<z.infer<typeof swapPlace>>;

/** The steps of a swap that change anything, one system call each but for `remove`, so that a test can end the process between any two. */
export interface SwapSteps {
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  flush(directory: string): Promise<void>;
}

export const swapSteps: SwapSteps = {
  rename,
  remove: (path) => rm(path, { recursive: true, force: true }),
  flush: (path) => fileSteps.flushDirectory(path),
};

/** Where what comes is unpacked to. */
export function comingIn(root: string): string {
  return join(root, stageName, 'coming');
}

function leavingIn(root: string): string {
  return join(root, stageName, 'leaving');
}

/** Makes empty stages; whatever an earlier restore left of its own goes. */
export async function makeStages(places: readonly SwapPlace[]): Promise<void> {
  await clearStages(places);
  for (const { root } of places)
    for (const folder of [comingIn, leavingIn]) await makeDirectory(folder(root));
}

export async function clearStages(
  places: readonly SwapPlace[],
  steps: Pick<SwapSteps, 'remove'> = swapSteps,
): Promise<void> {
  for (const { root } of places) await steps.remove(join(root, stageName));
}

/**
 * Of a stage that no record names: what lies in it may be the only copy of saves that a swap moved aside before its record was lost, so
 * it goes only where it is empty. Resolves with what to tell where it stays.
 */
export async function clearEmptyStage(root: string): Promise<MendableTrouble | undefined> {
  const stage = join(root, stageName);
  // First: of a file system that is read-only, rmdir says so also where there is nothing.
  if (!(await isThere(stage))) return undefined;
  for (const path of [comingIn(root), leavingIn(root), stage])
    await rmdir(path).catch((error) => {
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
    });
  if (!(await isThere(stage))) return undefined;
  return {
    reason: `${stage} has files of a restore that has no record: they may be the only copy of your previous saves`,
    remedy: `Check that the farm is complete, copy what is missing from ${leavingIn(root)}, and remove ${stage}`,
  };
}

/** A stage is not as it was made: the volume that has it is not mounted, or somebody has put something else in its place. */
export class StageMissing extends Error {
  readonly root: string;

  constructor(root: string, path: string) {
    super(`${path} is not there, or not a folder`);
    this.root = root;
  }
}

/** Nothing is moved in any place before all of them can be: stages stay until it is noted how the swap ended. */
async function checkStages(places: readonly SwapPlace[]): Promise<void> {
  for (const { root } of places)
    for (const path of [join(root, stageName), comingIn(root), leavingIn(root)])
      if (!(await isFolder(path))) throw new StageMissing(root, path);
}

/** A link to one is none, nor is what lies behind one: whoever made it decides where what is moved goes. */
async function isFolder(path: string): Promise<boolean> {
  return (await isThere(path)) && (await lstat(path)).isDirectory() && (await realpath(path)) === path;
}

/**
 * Puts in place what was unpacked, and what was there aside. It may be begun again after any of its steps: as long as something is
 * still to come under a name, what lies there is the old.
 */
export async function rollForward(places: readonly SwapPlace[], steps: SwapSteps = swapSteps): Promise<void> {
  await checkStages(places);
  for (const { root, coming, leaving } of places) {
    for (const name of coming) {
      const from = join(comingIn(root), name);
      if (!(await isThere(from))) continue;
      await moveAway(join(root, name), join(leavingIn(root), name), steps);
      await steps.rename(from, join(root, name));
    }
    for (const name of leaving) await moveAway(join(root, name), join(leavingIn(root), name), steps);
    await flushAll(root, steps);
  }
}

/** Makes everything as it was before; it too may be begun again, and either may follow the other. */
export async function takeBack(places: readonly SwapPlace[], steps: SwapSteps = swapSteps): Promise<void> {
  await checkStages(places);
  for (const { root, coming, leaving } of [...places].reverse()) {
    for (const name of [...coming, ...leaving]) {
      const here = join(root, name);
      const from = join(comingIn(root), name);
      const old = join(leavingIn(root), name);
      if (coming.includes(name) && !(await isThere(from))) await steps.rename(here, from);
      if (await isThere(old)) await steps.rename(old, here);
    }
    await flushAll(root, steps);
  }
}

/** Nothing that is there is an error: what has been moved before lies aside already. */
async function moveAway(path: string, aside: string, steps: SwapSteps): Promise<void> {
  if (!(await isThere(path))) return;
  await steps.remove(aside);
  await steps.rename(path, aside);
}

async function flushAll(root: string, steps: SwapSteps): Promise<void> {
  for (const folder of [leavingIn(root), comingIn(root), root]) await steps.flush(folder);
}

/** To be called once all is unpacked, and before it is noted that it is to be put in place: a power cut may follow at once. */
export async function finishStages(
  places: readonly SwapPlace[],
  steps: Pick<SwapSteps, 'flush'> = swapSteps,
): Promise<void> {
  await checkStages(places);
  for (const { root } of places) {
    await giveToOwner(root);
    for (const folder of [comingIn(root), leavingIn(root), join(root, stageName), root])
      await steps.flush(folder);
  }
}

/**
 * Gives what comes to whoever has the folder that it comes into, where this process may: the game may run as somebody else. A restore as
 * root would else leave saves that it cannot write.
 */
async function giveToOwner(root: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(root);
  const coming = comingIn(root);
  for (const name of await readdir(coming, { recursive: true })) await lchown(join(coming, name), uid, gid);
}

/** The name of what is there under one of these names and cannot be moved by renaming; undefined where all can. */
export async function mountAmong({ root, coming, leaving }: SwapPlace): Promise<string | undefined> {
  const { dev } = await stat(root);
  for (const name of [...coming, ...leaving]) {
    const found = await lstat(join(root, name)).catch(() => undefined);
    if (found !== undefined && found.dev !== dev) return name;
  }
  return undefined;
}

export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
