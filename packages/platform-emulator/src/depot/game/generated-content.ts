import { createCipheriv, createHash } from 'node:crypto';
import type { FileContent } from '../depot.ts';

const blockLength = 16;
const pageLength = 4096;
const phraseLength = 16;
const phraseCount = 2048;
// Of 256 phrases this many are noise; tuned until programs compress to about 0.4, as real ones do (facts D).
const noiseOf256 = 120;

/** Bytes that do not compress, like sound: an AES-CTR keystream, which can be entered at any block. */
export function incompressible(label: string, size: number): FileContent {
  const key = createHash('sha256').update(label).digest().subarray(0, blockLength);
  return {
    size,
    read(offset, length) {
      const first = Math.floor(offset / blockLength);
      const skipped = offset - first * blockLength;
      return keystream(key, first, skipped + length).subarray(skipped);
    },
  };
}

/** Bytes that compress like a program's: phrases from a small vocabulary, with noise in between. */
export function programLike(label: string, size: number): FileContent {
  const key = createHash('sha256').update(label).digest().subarray(0, blockLength);
  return {
    size,
    read(offset, length) {
      const first = Math.floor(offset / pageLength);
      const pages = Math.ceil((offset + length) / pageLength) - first;
      const skipped = offset - first * pageLength;
      return phrases(key, first, pages).subarray(skipped, skipped + length);
    },
  };
}

function keystream(key: Buffer, block: number, length: number): Buffer {
  const counter = Buffer.alloc(blockLength);
  counter.writeBigUInt64BE(BigInt(block), 8);
  return createCipheriv('aes-128-ctr', key, counter).update(Buffer.alloc(length));
}

const vocabulary = keystream(Buffer.from('a small lexicon!'), 0, phraseCount * phraseLength);

function phrases(key: Buffer, firstPage: number, pages: number): Buffer {
  const out = Buffer.allocUnsafe(pages * pageLength);
  const choicesPerPage = (pageLength / phraseLength) * 4;
  const choices = keystream(key, (firstPage * choicesPerPage) / blockLength, pages * choicesPerPage);
  for (let position = 0, at = 0; position < out.length; position += phraseLength, at += 4) {
    const phrase = (choices.readUInt16LE(at) % phraseCount) * phraseLength;
    vocabulary.copy(out, position, phrase, phrase + phraseLength);
    if ((choices[at + 2] ?? 0) < noiseOf256) choices.copy(out, position + 12, at, at + 4);
  }
  return out;
}

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
