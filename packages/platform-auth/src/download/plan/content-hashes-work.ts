import { createHash } from 'node:crypto';
import { prunedContentHashes } from '../changes/content-hashes.ts';
import { openNoLink } from '../disk/present-chunks.ts';
import { lookAt } from '../disk/real-tree.ts';
import type { ChangedFile } from '../kept/installed.ts';
import type { Places } from '../names/places.ts';
import type { WantedEntry } from './wanted-tree.ts';

export interface PublishedList {
  readonly text: string;
  /** Absent where nothing had to be left out. */
  readonly changed?: ChangedFile;
  /** The list was not to be understood, and is published as it is. */
  readonly unreadable: boolean;
}

/** What is to be in the tree once the download is done, to ask the list's entries against. */
export interface FinalTree {
  readonly entries: ReadonlyMap<string, WantedEntry>;
  readonly leaving: readonly string[];
}

/** ContentHashes.json as it belongs into the tree, from the original. */
export async function contentHashesAsPublished(
  original: string,
  places: Places,
  { entries, leaving }: FinalTree,
): Promise<PublishedList> {
  const file = await openNoLink(original);
  const text = await file.readFile('utf8').finally(() => file.close());
  const gone = new Set(leaving);
  const pruned = await prunedContentHashes(text, async (name) => {
    const entry = entries.get(name);
    if (entry !== undefined) return entry.kind !== 'directory';
    // Somebody else's file serves the game as well.
    return !gone.has(name) && (await lookAt(places.inTree(name))) !== undefined;
  });
  if (pruned === undefined) return { text, unreadable: true };
  if (pruned === text) return { text, unreadable: false };
  const bytes = Buffer.byteLength(pruned);
  const sha1 = createHash('sha1').update(pruned).digest('hex');
  return { text: pruned, changed: { how: 'content-hashes-pruned', bytes, sha1 }, unreadable: false };
}
