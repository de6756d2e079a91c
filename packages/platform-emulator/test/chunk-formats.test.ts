import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkFormats, compressChunk } from '../src/depot/chunk/chunk-format.ts';
import { encryptSymmetric } from '../src/depot/chunk/symmetric-cipher.ts';
import { incompressible, programLike } from '../src/depot/game/generated-content.ts';
import { encodeLzma, lzmaProperties } from '../src/depot/lzma/encode-lzma.ts';
import { adlerFromZero } from '../src/depot/manifest.ts';
import { cdnCompression, steamCrypto } from './library-pieces.ts';
import { through } from './run-program.ts';

// A process is started for each, so these are fewer than the runs that stay inside.
const programRuns = count({ small: 25, long: 400 });

/** Bytes with repeats near and far, so that every kind of LZMA packet occurs. */
const repetitive = fc
  .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 40 })), {
    maxLength: 60,
  })
  .map((parts) =>
    Buffer.concat(parts.flatMap(([bytes, times]) => Array.from({ length: times }, () => bytes))),
  );
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 5000 }).map((bytes) => Buffer.from(bytes)),
  repetitive,
  fc.integer({ min: 0, max: 70_000 }).map((size) => programLike(`program ${size}`, size).read(0, size)),
);

function unxz(content: Buffer, encoded: Buffer): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32LE(content.length);
  return through('xz', ['--format=lzma', '-dc'], Buffer.concat([lzmaProperties, size, encoded]));
}

describe('liblzma reads what the LZMA encoder wrote', () => {
  test('for any bytes', () => {
    fc.assert(
      fc.property(anyBytes, (content) => {
        expect(unxz(content, encodeLzma(content)).equals(content)).toBe(true);
      }),
      { numRuns: programRuns },
    );
  });

  test.each([0, 1, 2, 3, 4, 273, 274, 4096, 65_537, 1 << 20])('for %i bytes of each kind', (size) => {
    for (const make of [programLike, incompressible]) {
      const content = make('sizes', size).read(0, size);
      expect(unxz(content, encodeLzma(content)).equals(content)).toBe(true);
    }
    const zeros = Buffer.alloc(size);
    expect(unxz(zeros, encodeLzma(zeros)).equals(zeros)).toBe(true);
  });

  test('and program-like bytes shrink to less than half', () => {
    const content = programLike('ratio', 1 << 20).read(0, 1 << 20);
    expect(encodeLzma(content).length / content.length).toBeLessThan(0.5);
  });
});

test('zstd reads the frame inside a zstd chunk', () => {
  fc.assert(
    fc.property(anyBytes, (content) => {
      const chunk = compressChunk(content, 'zstd');
      expect(chunk.subarray(0, 4).toString()).toBe('VSZa');
      expect(chunk.readUInt32LE(chunk.length - 15)).toBe(crc32(content));
      return through('zstd', ['-dc'], chunk.subarray(8, -15)).equals(content);
    }),
    { numRuns: programRuns },
  );
});

test('unzip reads a zip chunk and finds nothing wrong with it', () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'chunk.zip');
  fc.assert(
    fc.property(anyBytes, (content) => {
      writeFileSync(file, compressChunk(content, 'zip'));
      through('unzip', ['-tq', file], Buffer.alloc(0));
      expect(through('unzip', ['-p', file], Buffer.alloc(0)).equals(content)).toBe(true);
    }),
    { numRuns: programRuns },
  );
});

test('openssl decrypts what was encrypted', () => {
  fc.assert(
    fc.property(anyBytes, fc.uint8Array({ minLength: 32, maxLength: 32 }), (content, keyBytes) => {
      const key = Buffer.from(keyBytes).toString('hex');
      const encrypted = encryptSymmetric(content, Buffer.from(keyBytes));
      const decrypt = ['enc', '-d', '-K', key];
      const iv = through('openssl', [...decrypt, '-aes-256-ecb', '-nopad'], encrypted.subarray(0, 16));
      const data = encrypted.subarray(16);
      const plain = through('openssl', [...decrypt, '-aes-256-cbc', '-iv', iv.toString('hex')], data);
      expect(plain.equals(content)).toBe(true);
    }),
    { numRuns: programRuns },
  );
});

test.each(chunkFormats)('the library reads %s chunks', async (format) => {
  const key = createHash('sha256').update(format).digest();
  const property = fc.asyncProperty(anyBytes, async (content) => {
    // The library's own decoder hangs on a VZ chunk of no bytes; an empty file has no chunks.
    fc.pre(content.length > 0);
    const served = encryptSymmetric(compressChunk(content, format), key);
    expect((await cdnCompression.unzip(steamCrypto.symmetricDecrypt(served, key))).equals(content)).toBe(
      true,
    );
  });
  await fc.assert(property, { numRuns: count({ small: 20, long: 500 }) });
});

test('the Adler sum begins at zero and matches the plain definition', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => adlerFromZero(bytes) === adlerSlowly(bytes)),
  );
  expect(adlerFromZero(Buffer.alloc(100))).toBe(0);
  // The largest bytes are where a sum put off for too long would overflow.
  expect(adlerFromZero(Buffer.alloc(1 << 20, 0xff))).toBe(adlerSlowly(Buffer.alloc(1 << 20, 0xff)));
});

function adlerSlowly(bytes: Uint8Array): number {
  let low = 0;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 65_536 + low;
}
