import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode } from '@steward/service-kit/process/errors';
import type { ManifestChunk } from '../manifest/manifest.ts';

/** The part of a file that a chunk is; undefined where the file is too short. */
export async function readPart(file: FileHandle, offset: number, bytes: number): Promise<Buffer | undefined> {
  const data = Buffer.allocUnsafe(bytes);
  let read = 0;
  while (read < bytes) {
    const { bytesRead } = await file.read(data, read, bytes - read, offset + read);
    if (bytesRead === 0) return undefined;
    read += bytesRead;
  }
  return data;
}

export function isChunk(data: Uint8Array, { id }: Pick<ManifestChunk, 'id'>): boolean {
  return createHash('sha1').update(data).digest('hex') === id;
}

/**
 * Which of the chunks a file really holds, each at its place. Bytes are believed and no bookkeeping: what a killed process or a
 * power cut left is worth exactly what is in it.
 */
export async function presentChunks(
  path: string,
  chunks: readonly ManifestChunk[],
  signal: AbortSignal,
): Promise<ReadonlySet<ManifestChunk>> {
  const present = new Set<ManifestChunk>();
  const file = await openIfThere(path);
  if (file === undefined) return present;
  try {
    for (const chunk of chunks) {
      signal.throwIfAborted();
      const data = await readPart(file, chunk.offset, chunk.bytes);
      if (data !== undefined && isChunk(data, chunk)) present.add(chunk);
    }
  } finally {
    await file.close();
  }
  return present;
}

const { O_RDONLY, O_NONBLOCK: noWait = 0, O_NOFOLLOW: noLink = 0 } = constants;

/** For reading what others may have replaced: a link is an error, and a pipe is not waited for. */
export function openNoLink(path: string): Promise<FileHandle> {
  return open(path, O_RDONLY | noWait | noLink);
}

/** What the system says of what is missing, of a link, and of a socket. */
const notThere = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'];

/** Undefined for what is missing, or no file. */
export async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    const file = await openNoLink(path);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    return undefined;
  } catch (error) {
    if (notThere.includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** The sha1 of a whole file, lower-case hex. */
export async function sha1OfFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha1');
  const file = await openNoLink(path);
  try {
    for await (const part of file.createReadStream({ autoClose: false })) {
      signal.throwIfAborted();
      hash.update(part);
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}
