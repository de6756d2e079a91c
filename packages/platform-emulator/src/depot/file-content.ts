import type { FileContent } from './depot.ts';

export function contentOf(source: FileContent | Buffer): FileContent {
  if (!Buffer.isBuffer(source)) return source;
  return { size: source.length, read: (offset, length) => source.subarray(offset, offset + length) };
}
