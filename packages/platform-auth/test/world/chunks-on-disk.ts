import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chunkSize } from '@steward/platform-emulator/depot/make-depot';

/**
 * The ids of all chunks that are finished: those of which every byte is on the disk, staged or published, wherever a chunk can begin.
 * Said from the bytes alone, without the code under test.
 */
export function chunksOnDisk(directory: string): ReadonlySet<string> {
  const found = new Set<string>();
  if (!existsSync(directory)) return found;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const content = readFileSync(join(entry.parentPath, entry.name));
    for (let at = 0; at < content.length; at += chunkSize)
      found.add(
        createHash('sha1')
          .update(content.subarray(at, at + chunkSize))
          .digest('hex'),
      );
  }
  return found;
}
