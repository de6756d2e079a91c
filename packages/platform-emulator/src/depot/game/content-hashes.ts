import { createHash } from 'node:crypto';
import type { GameFile } from './family-files.ts';

const contentDirectory = 'Content/';

/**
 * `Content/ContentHashes.json`: each content file's path below `Content` and a hash. Nobody compares the hashes
 * with the bytes, so they are made of the content's label, which spares reading 1.5 GB once more.
 */
export function contentHashes(files: readonly GameFile[]): Buffer {
  const listed = files
    .filter((file) => file.name.startsWith(contentDirectory))
    .map((file) => [
      file.name.slice(contentDirectory.length),
      createHash('md5').update(file.label).digest('hex'),
    ]);
  return Buffer.from(JSON.stringify(Object.fromEntries(listed)));
}
