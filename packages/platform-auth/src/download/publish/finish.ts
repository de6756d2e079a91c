import { contentHashesName } from '../changes/content-hashes.ts';
import { clearedStackFlags, elfHeadBytes, mayWantExecutableStack } from '../changes/executable-stack.ts';
import type { DiskSteps } from '../disk/disk-steps.ts';
import { sha1OfFile } from '../disk/present-chunks.ts';
import { lookAt } from '../disk/real-tree.ts';
import type { ChangedFile, InstalledFile } from '../kept/installed.ts';
import { changedKey } from '../names/file-content.ts';
import type { Places } from '../names/places.ts';
import { headOf } from '../plan/chunk-search.ts';
import { contentHashesAsPublished, type FinalTree } from '../plan/content-hashes-work.ts';
import { asFound, installedFile } from '../plan/file-check.ts';
import type { FileWork } from '../plan/plan.ts';
import { hostileManifest } from '../problems/problem.ts';

const plainMode = 0o644;
const executableMode = 0o755;

/** A file that is ready to be renamed into the tree. */
export interface FinishedFile {
  readonly name: string;
  /** Its name in the stage. */
  readonly from: string;
  readonly installed: InstalledFile;
}

export interface FinishParts {
  readonly places: Places;
  readonly steps: DiskSteps;
  readonly final: FinalTree;
  readonly signal: AbortSignal;
  /** Told when ContentHashes.json is not to be understood and is published as it came. */
  readonly unreadableList: () => void;
}

/** Makes of gathered bytes what belongs into the tree, on the disk to stay. */
export async function finishFile(work: FileWork, parts: FinishParts): Promise<FinishedFile> {
  const { file, part } = work;
  const { places, steps, signal } = parts;
  // One chunk is the whole file, and has been held to its hash already.
  if (file.sha1 !== undefined && file.chunks.length > 1 && (await sha1OfFile(part, signal)) !== file.sha1)
    throw hostileManifest(file.name, 'has a hash that does not match its content');
  const ready = await publishedForm(work, parts);
  const path = places.staged(ready.from);
  await steps.setMode(path, file.executable ? executableMode : plainMode);
  await steps.flush(path);
  const found = await lookAt(path);
  if (found === undefined) throw new Error(`${path} has disappeared`);
  const changed = ready.changed === undefined ? {} : { changed: ready.changed };
  return {
    name: file.name,
    from: ready.from,
    installed: { ...installedFile(file, found), ...asFound(found), ...changed },
  };
}

interface PublishedForm {
  readonly from: string;
  readonly changed?: ChangedFile;
}

async function publishedForm(work: FileWork, parts: FinishParts): Promise<PublishedForm> {
  const { file } = work;
  if (file.name === contentHashesName && file.bytes > 0) return prunedList(work, parts);
  if (mayWantExecutableStack(file.name)) return withoutExecutableStack(work, parts);
  return { from: file.stageKey };
}

async function prunedList({ file, part }: FileWork, parts: FinishParts): Promise<PublishedForm> {
  const { places, steps, final } = parts;
  await steps.flush(part);
  const from = changedKey(file.stageKey);
  const { text, changed, unreadable } = await contentHashesAsPublished(part, places, final);
  if (unreadable) parts.unreadableList();
  if (changed === undefined) await steps.copy(part, places.staged(from));
  else await steps.writeWhole(places.staged(from), text);
  return { from, ...(changed === undefined ? {} : { changed }) };
}

/** On a copy: what was gathered stays as it came, so that a run that is killed here finds it whole. */
async function withoutExecutableStack({ file, part }: FileWork, parts: FinishParts): Promise<PublishedForm> {
  const { places, steps, signal } = parts;
  const change = clearedStackFlags(await headOf(part, elfHeadBytes));
  if (change === undefined) return { from: file.stageKey };
  const from = changedKey(file.stageKey);
  const path = places.staged(from);
  await steps.copy(part, path);
  await steps.writeAt(path, change.flags, change.offset);
  const sha1 = await sha1OfFile(path, signal);
  return { from, changed: { how: 'executable-stack-cleared', bytes: file.bytes, sha1 } };
}
