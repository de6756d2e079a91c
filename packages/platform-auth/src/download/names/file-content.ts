import { createHash, type Hash } from 'node:crypto';
import { type ManifestFile, mostChunkBytes, mostFileBytes } from '../manifest/manifest.ts';
import { hostileManifest } from '../problems/problem.ts';

const sha1Hex = /^[0-9a-f]{40}$/;
/** Still far too many keys to meet by chance, and a record of thousands of files stays small. */
const keyBytes = 16;
const changedSuffix = '.changed';
const stagedKeyForm = new RegExp(`^[0-9a-f]{${2 * keyBytes}}(\\${changedSuffix})?$`);

/** Refuses a file whose chunks are not exactly its content: each byte once, and no more than it says. */
export function checkContent(file: ManifestFile): void {
  const objection = objectionTo(file);
  if (objection !== undefined) throw hostileManifest(file.name, objection);
}

function objectionTo({ kind, bytes, chunks, linkTarget, sha1 }: ManifestFile): string | undefined {
  if (kind !== 'file') return chunks.length > 0 ? `is a ${kind} with content` : undefined;
  if (linkTarget !== undefined) return 'is a file and a link at once';
  if (!Number.isSafeInteger(bytes) || bytes < 0 || bytes > mostFileBytes) return 'has an impossible size';
  let end = 0;
  for (const chunk of chunks.toSorted((one, other) => one.offset - other.offset)) {
    if (!sha1Hex.test(chunk.id)) return 'has a chunk without a hash';
    if (!(chunk.bytes > 0 && chunk.bytes <= mostChunkBytes)) return 'has a chunk of an impossible size';
    if (chunk.offset !== end) return 'has chunks that do not follow one another';
    end += chunk.bytes;
  }
  if (end !== bytes) return 'has a size that does not match its chunks';
  const [only, ...others] = chunks;
  if (sha1 !== undefined && only !== undefined && others.length === 0 && only.id !== sha1)
    return 'has a hash that does not match its content';
  return undefined;
}

/** A name for what a file holds: files with equal keys have equal bytes. */
export function contentKey({ bytes, chunks }: Pick<ManifestFile, 'bytes' | 'chunks'>): string {
  const hash = createHash('sha256').update(`${bytes}`);
  for (const { id, offset } of chunks.toSorted((one, other) => one.offset - other.offset))
    hash.update(` ${offset}:${id}`);
  return shortened(hash);
}

export function stageKey(name: string, content: string): string {
  return shortened(createHash('sha256').update(`${name}\0${content}`));
}

/** Under which a file is made ready that is to be published in another form than the manifest has it. */
export function changedKey(key: string): string {
  return `${key}${changedSuffix}`;
}

/** Whether a name in the stage can be one of those that files are published from. */
export function isStagedKey(name: string): boolean {
  return stagedKeyForm.test(name);
}

/** A part of the hex text would hold all of it in memory. */
function shortened(hash: Hash): string {
  return hash.digest().toString('hex', 0, keyBytes);
}
