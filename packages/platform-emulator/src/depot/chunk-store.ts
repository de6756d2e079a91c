import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where chunks are kept as served once they are made. Without one, a chunk is made anew for every request. */
export interface ChunkStore {
  get(id: string): Buffer | undefined;
  put(id: string, served: Buffer): void;
}

export function chunksInMemory(): ChunkStore {
  const chunks = new Map<string, Buffer>();
  return { get: (id) => chunks.get(id), put: (id, served) => void chunks.set(id, served) };
}

/**
 * Keeps the chunks of one depot in a directory, where a later run finds them again and need not compress anew.
 * The directory belongs to one depot, seed and format: an id says nothing of key or compression.
 */
export function chunksInDirectory(directory: string): ChunkStore {
  mkdirSync(directory, { recursive: true });
  const place = (id: string) => join(directory, id);
  return {
    get: (id) => (existsSync(place(id)) ? readFileSync(place(id)) : undefined),
    put(id, served) {
      // Written aside and renamed: a run that was stopped half way leaves no half chunk.
      const aside = `${place(id)}.${process.pid}`;
      writeFileSync(aside, served);
      renameSync(aside, place(id));
    },
  };
}
