import { setImmediate as others } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { firstEntry } from '../decode/zip.ts';
import { ContentError } from '../problems/content-error.ts';
import type { DepotManifest, ManifestFile } from './manifest.ts';
import { mostChunks, mostFiles } from './manifest-limits.ts';
import { MalformedManifest, type ManifestMetadata, splitManifest } from './manifest-sections.ts';
import { fieldsOf, ProtobufError } from './protobuf-reader.ts';
import { bytesOf, readFile } from './read-file.ts';

/** The real game's has a few hundred kilobytes. */
const mostBytes = 32 * 1024 * 1024;
/** Read in one go; then everybody else has a turn. */
const filesAtOnce = 64;
const fileField = 1;

export interface ManifestIdentity {
  readonly appId: number;
  readonly depotId: number;
  readonly manifestId: string;
}

/**
 * Reads a manifest as a content server gives it. What cannot be a manifest is refused as a whole; names, and whether
 * the chunks of a file fit together, are for the plan to judge.
 */
export async function readManifest(
  archive: Buffer,
  identity: ManifestIdentity,
  depotKey: Uint8Array,
): Promise<DepotManifest> {
  try {
    const { metadata, payload } = splitManifest(await unpack(archive));
    checkIdentity(metadata, identity);
    const files: ManifestFile[] = [];
    let chunks = 0;
    const nameKey = metadata.namesAreEncrypted ? depotKey : undefined;
    for (const field of fieldsOf(payload)) {
      if (field.number !== fileField) continue;
      const file = readFile(bytesOf(field), nameKey);
      files.push(file);
      chunks += file.chunks.length;
      if (files.length > mostFiles) throw new MalformedManifest(`lists more than ${mostFiles} files`);
      if (chunks > mostChunks) throw new MalformedManifest(`lists more than ${mostChunks} pieces`);
      if (files.length % filesAtOnce === 0) await others();
    }
    return { ...identity, files };
  } catch (error) {
    throw asMalformed(error, identity);
  }
}

async function unpack(archive: Buffer): Promise<Buffer> {
  const { method, content } = firstEntry(archive);
  return method === 'stored' ? content : promisify(inflateRaw)(content, { maxOutputLength: mostBytes });
}

function checkIdentity(metadata: ManifestMetadata, { depotId, manifestId }: ManifestIdentity): void {
  if (metadata.depotId !== depotId || metadata.manifestId !== manifestId)
    throw new MalformedManifest('is that of another depot or version');
}

function asMalformed(error: unknown, { depotId, manifestId }: ManifestIdentity): ContentError {
  const what =
    error instanceof MalformedManifest
      ? error.message
      : error instanceof ProtobufError
        ? 'is cut off or damaged'
        : 'cannot be unpacked';
  return new ContentError('malformed-manifest', `The manifest ${manifestId} of depot ${depotId} ${what}`);
}
