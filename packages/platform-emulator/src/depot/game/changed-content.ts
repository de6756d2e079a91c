import type { FileContent } from '../depot.ts';

/** Content with other bytes from `at` on, as an update leaves it; what lies past the old end is appended. */
export function withPatch(content: FileContent, at: number, patch: Buffer): FileContent {
  const patchEnd = at + patch.length;
  return {
    size: Math.max(content.size, patchEnd),
    read(offset, length) {
      const bytes = Buffer.alloc(length);
      const readable = Math.max(0, Math.min(length, content.size - offset));
      if (readable > 0) content.read(offset, readable).copy(bytes);
      const from = Math.max(offset, at);
      const to = Math.min(offset + length, patchEnd);
      if (from < to) patch.copy(bytes, from - offset, from - at, to - at);
      return bytes;
    },
  };
}
