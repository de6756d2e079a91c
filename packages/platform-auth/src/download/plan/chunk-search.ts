import { isChunk, openIfThere, openNoLink, presentChunks, readPart } from '../disk/present-chunks.ts';
import { lookAt } from '../disk/real-tree.ts';
import type { InstalledRecord } from '../kept/installed.ts';
import type { ManifestChunk } from '../manifest/manifest.ts';
import type { Places } from '../names/places.ts';
import type { LocalChunk } from './plan.ts';
import type { WantedFile } from './wanted-tree.ts';

/** Finds the chunks of a file in what is on the disk already. What it finds, it has read and checked. */
export class ChunkSearch {
  readonly #places: Places;
  readonly #installed: InstalledRecord;
  readonly #signal: AbortSignal;
  /** Where the files that were published last have which chunk. */
  #published: ReadonlyMap<string, Omit<LocalChunk, 'chunk'>> | undefined;

  constructor(places: Places, installed: InstalledRecord, signal: AbortSignal) {
    this.#places = places;
    this.#installed = installed;
    this.#signal = signal;
  }

  /** In a file that is being gathered. */
  staged(part: string, file: WantedFile): Promise<ReadonlySet<ManifestChunk>> {
    return presentChunks(part, file.chunks, this.#signal);
  }

  /** In the tree: at the same place of the file as it is, or anywhere in what was published last. */
  async inTree(file: WantedFile, sought: readonly ManifestChunk[]): Promise<readonly LocalChunk[]> {
    if (sought.length === 0) return [];
    const path = this.#places.inTree(file.name);
    const isFile = (await lookAt(path))?.isFile() === true;
    const present = isFile ? await presentChunks(path, sought, this.#signal) : new Set<ManifestChunk>();
    const found: LocalChunk[] = [];
    for (const chunk of sought) {
      if (present.has(chunk)) found.push({ chunk, path, offset: chunk.offset });
      else {
        const elsewhere = this.#index().get(chunk.id);
        if (elsewhere !== undefined && (await holds(elsewhere, chunk))) found.push({ chunk, ...elsewhere });
      }
    }
    return found;
  }

  #index(): ReadonlyMap<string, Omit<LocalChunk, 'chunk'>> {
    this.#published ??= new Map(
      Object.entries(this.#installed.files).flatMap(([name, { chunks }]) =>
        chunks.map(([id, offset]) => [id, { path: this.#places.inTree(name), offset }] as const),
      ),
    );
    return this.#published;
  }
}

async function holds({ path, offset }: Omit<LocalChunk, 'chunk'>, chunk: ManifestChunk): Promise<boolean> {
  const isFile = (await lookAt(path))?.isFile() === true;
  const file = isFile ? await openIfThere(path) : undefined;
  if (file === undefined) return false;
  try {
    const data = await readPart(file, offset, chunk.bytes);
    return data !== undefined && isChunk(data, chunk);
  } finally {
    await file.close();
  }
}

/** The first bytes of a file, as many as there are up to a limit. */
export async function headOf(path: string, bytes: number): Promise<Buffer> {
  const file = await openNoLink(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
