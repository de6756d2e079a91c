import { createHash, hash } from 'node:crypto';
import { chunkFormats, compressChunk } from '@steward/platform-emulator/depot/chunk/chunk-format';
import { encryptSymmetric } from '@steward/platform-emulator/depot/chunk/symmetric-cipher';
import { incompressible, programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { decodeChunk } from './decode-chunk.ts';
import { DecodeError } from './decode-error.ts';
import { decodeLzma } from './lzma/decode-lzma.ts';
import type { DecodeLzma } from './lzma/decoder.ts';
import { chooseLzma } from './lzma/lzma.ts';
import { nativeLzma } from './lzma/native-lzma.ts';

const key = createHash('sha256').update('a depot').digest();
const runs = count({ small: 60, long: 2_000 });

const decoders: readonly [string, DecodeLzma | undefined][] = [
  ['the portable decoder', decodeLzma],
  ['the native decoder', nativeLzma()],
];

function stored(content: Buffer, format: (typeof chunkFormats)[number]): Buffer {
  return encryptSymmetric(compressChunk(content, format), key);
}

function chunkOf(content: Buffer, bytes: Uint8Array) {
  return { stored: bytes, key, id: hash('sha1', content, 'hex'), bytes: content.length };
}

/** Bytes with all that a compressor may meet: noise, programs, one byte over and over, and next to nothing. */
const contents = fc
  .tuple(fc.constantFrom('noise', 'program', 'run', 'mix'), fc.nat(20_000), fc.string())
  .map(([kind, size, label]) => {
    const noise = incompressible(label, size + 1).read(0, size + 1);
    if (kind === 'noise') return noise;
    if (kind === 'run') return Buffer.alloc(size + 1, label);
    const program = programLike(label, size + 1).read(0, size + 1);
    return kind === 'program' ? program : Buffer.concat([program, noise, program]);
  });

describe.each(decoders)('with %s', (_name, lzma) => {
  it.each(chunkFormats)('gets back what went into a %s chunk', (format) => {
    if (lzma === undefined) return;
    fc.assert(
      fc.property(contents, (content) => {
        const plain = decodeChunk(chunkOf(content, stored(content, format)), lzma);
        expect(content.equals(plain)).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it.each(chunkFormats)('refuses a %s chunk that was damaged under way', (format) => {
    if (lzma === undefined) return;
    fc.assert(
      fc.property(contents, fc.nat(), fc.integer({ min: 1, max: 255 }), (content, place, change) => {
        // Inside of the encryption, where damage reaches the decoders unmixed.
        const packed = Buffer.from(compressChunk(content, format));
        packed[place % packed.length] = (packed[place % packed.length] ?? 0) ^ change;
        try {
          const plain = decodeChunk(chunkOf(content, encryptSymmetric(packed, key)), lzma);
          // Names, times and checksums that nobody needs may change.
          expect(content.equals(plain)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { numRuns: runs },
    );
  });

  it.each(chunkFormats)('refuses any bytes in the place of a %s chunk', (format) => {
    if (lzma === undefined) return;
    const mark = Buffer.from({ zip: 'PK\x03\x04', vz: 'VZa', zstd: 'VSZa' }[format], 'latin1');
    const end = Buffer.from({ zip: '', vz: 'zv', zstd: 'zsv' }[format], 'latin1');
    const content = Buffer.alloc(100);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const made = encryptSymmetric(Buffer.concat([mark, bytes, end]), key);
        expect(() => decodeChunk(chunkOf(content, made), lzma)).toThrow(DecodeError);
      }),
      { numRuns: runs },
    );
  });
});

it('decodes by the native decoder what could be compressed, and by our own what could not', () => {
  const native = vi.fn(decodeLzma);
  const choose = chooseLzma(native);
  for (const [make, times] of [
    [incompressible, 0],
    [programLike, 1],
  ] as const) {
    const content = make('either', 20_000).read(0, 20_000);
    native.mockClear();
    const plain = decodeChunk(chunkOf(content, stored(content, 'vz')), choose);
    expect([content.equals(plain), native.mock.calls.length]).toEqual([true, times]);
  }
});

it('refuses what is encrypted under another key, and what is not encrypted', () => {
  const content = Buffer.from('content');
  const chunk = chunkOf(content, stored(content, 'zip'));
  const otherKey = createHash('sha256').update('another depot').digest();
  expect(() => decodeChunk({ ...chunk, key: otherKey }, decodeLzma)).toThrow(DecodeError);
  for (const length of [0, 1, 16, 31, 32, 48])
    expect(() => decodeChunk({ ...chunk, stored: Buffer.alloc(length) }, decodeLzma)).toThrow(DecodeError);
});

it.each(chunkFormats)('stops a %s chunk that swells beyond its size', (format) => {
  const content = Buffer.alloc(8_000_000);
  const chunk = { ...chunkOf(content, stored(content, format)), bytes: 1_000 };
  const before = process.memoryUsage().arrayBuffers;
  expect(() => decodeChunk(chunk, decodeLzma)).toThrow(DecodeError);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_000_000);
});
