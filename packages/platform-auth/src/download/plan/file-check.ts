import type { Stats } from 'node:fs';
import { clearedStackFlags, elfHeadBytes, mayWantExecutableStack } from '../changes/executable-stack.ts';
import { presentChunks, sha1OfFile } from '../disk/present-chunks.ts';
import { lookAt } from '../disk/real-tree.ts';
import type { InstalledFile, InstalledRecord } from '../kept/installed.ts';
import type { Places } from '../names/places.ts';
import { headOf } from './chunk-search.ts';
import type { WantedFile } from './wanted-tree.ts';

const executableBits = 0o111;

export interface FileCheckParts {
  readonly places: Places;
  readonly installed: InstalledRecord;
  /** Reads every file, also one that nobody seems to have touched. */
  readonly verify: boolean;
  readonly signal: AbortSignal;
}

/** Whether the tree has a file as it should be; then what there is to remember of it. */
export async function intactFile(
  file: WantedFile,
  parts: FileCheckParts,
): Promise<InstalledFile | undefined> {
  const path = parts.places.inTree(file.name);
  const found = await lookAt(path);
  // Not the other way: there are volumes on which every file looks like one that can be executed.
  if (found === undefined || !found.isFile() || (file.executable && !isExecutable(found))) return undefined;
  const published = parts.installed.files[file.name];
  const known = published?.contentKey === file.contentKey ? published : undefined;
  if (known !== undefined && !parts.verify && isUntouched(found, known)) return known;
  if (known?.changed !== undefined) {
    const { bytes, sha1 } = known.changed;
    const isSame = found.size === bytes && (await sha1OfFile(path, parts.signal)) === sha1;
    return isSame ? { ...known, ...asFound(found) } : undefined;
  }
  if (found.size !== file.bytes) return undefined;
  const present = await presentChunks(path, file.chunks, parts.signal);
  if (present.size < file.chunks.length) return undefined;
  if (await wantsChange(file, path)) return undefined;
  return installedFile(file, found);
}

/** What is remembered of a file that is in the tree as the manifest has it. */
export function installedFile(file: WantedFile, found: Stats): InstalledFile {
  return {
    contentKey: file.contentKey,
    executable: file.executable,
    chunks: file.chunks.map(({ id, offset }) => [id, offset]),
    ...asFound(found),
  };
}

async function wantsChange(file: WantedFile, path: string): Promise<boolean> {
  if (!mayWantExecutableStack(file.name)) return false;
  return clearedStackFlags(await headOf(path, elfHeadBytes)) !== undefined;
}

/** Whether nobody has written to it since. */
export function isUntouched(found: Stats, { size, modifiedMs }: InstalledFile): boolean {
  return found.size === size && Math.floor(found.mtimeMs) === modifiedMs;
}

export function asFound({ size, mtimeMs }: Stats): Pick<InstalledFile, 'size' | 'modifiedMs'> {
  return { size, modifiedMs: Math.floor(mtimeMs) };
}

function isExecutable({ mode }: Stats): boolean {
  return (mode & executableBits) !== 0;
}
