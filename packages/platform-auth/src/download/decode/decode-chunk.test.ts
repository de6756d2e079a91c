import { isUtf8 } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import { chunkFormats, compressChunk } from '@steward/platform-emulator/depot/chunk/chunk-format';
import { encryptSymmetric } from '@steward/platform-emulator/depot/chunk/symmetric-cipher';
import { incompressible, programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trying } from '../../../test/world/trying-lzma.ts';
import { decodeChunk } from './decode-chunk.ts';
import { DecodeError } from './decode-error.ts';
import { chooseLzma, nativeLzma, portableLzma } from './lzma.ts';

const key = createHash('sha256').update('a depot').digest();
const runs = count({ small: 60, long: 2_000 });

const decoders: readonly [string, ReturnType<typeof nativeLzma>][] = [
  ['the portable decoder', portableLzma()],
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

/** Bytes that the portable library takes for text although they are none. No file of a game is like that. */
function passesForText(content: Buffer): boolean {
  const sequences = /^(?:[^\x80-\xff]|[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2})+$/;
  return !isUtf8(content) && !content.includes(0) && sequences.test(content.toString('latin1'));
}

describe.each(decoders)('with %s', (_name, decoder) => {
  const lzma = trying(decoder);
  it.each(chunkFormats)('gets back what went into a %s chunk', (format) => {
    fc.assert(
      fc.property(contents, (content) => {
        fc.pre(!passesForText(content));
        const plain = decodeChunk(chunkOf(content, stored(content, format)), lzma);
        expect(content.equals(plain)).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it.each(chunkFormats)('refuses a %s chunk that was damaged under way', (format) => {
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

  it.each(chunkFormats)('stops a %s chunk that swells beyond its size', (format) => {
    const content = Buffer.alloc(8_000_000);
    const chunk = { ...chunkOf(content, stored(content, format)), bytes: 1_000 };
    const held = (): number => process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
    const before = held();
    expect(() => decodeChunk(chunk, lzma)).toThrow(DecodeError);
    expect(held() - before).toBeLessThan(4_000_000);
  });

  it('refuses a vz chunk that was cut off or holds less than it should', () => {
    const content = programLike('cut', 20_000).read(0, 20_000);
    const packed = compressChunk(content, 'vz');
    for (const share of [0, 0.1, 0.5, 0.9]) {
      const cut = Buffer.concat([
        packed.subarray(0, 12 + share * (packed.length - 22)),
        packed.subarray(-10),
      ]);
      expect(() => decodeChunk(chunkOf(content, encryptSymmetric(cut, key)), lzma)).toThrow(DecodeError);
    }
    for (const bytes of [0, 1, content.length - 1, content.length + 1, 10 * content.length]) {
      const chunk = { ...chunkOf(content, encryptSymmetric(packed, key)), bytes };
      expect(() => decodeChunk(chunk, lzma)).toThrow(DecodeError);
    }
  });

  it('refuses properties that would want megabytes of models', () => {
    const content = programLike('properties', 1_000).read(0, 1_000);
    const packed = Buffer.from(compressChunk(content, 'vz'));
    for (let properties = 0; properties < 256; properties += 1) {
      const isUsed = properties < 225 && (properties % 9) + (Math.floor(properties / 9) % 5) <= 4;
      packed[7] = properties;
      const decode = () => decodeChunk(chunkOf(content, encryptSymmetric(packed, key)), lzma);
      if (!isUsed) expect(decode).toThrow(new DecodeError('has invalid LZMA properties'));
      else if (properties !== 0x5d) expect(decode).toThrow(DecodeError);
    }
  });
});

it('takes the portable decoder where no native one loads, and says so when it is needed', () => {
  const warnings: string[] = [];
  const choose = chooseLzma((text) => warnings.push(text), { missing: 'Cannot find module' });
  for (const [format, warned] of [
    ['zstd', 0],
    ['vz', 1],
    ['vz', 1],
  ] as const) {
    const content = programLike('either', 20_000).read(0, 20_000);
    const plain = decodeChunk(chunkOf(content, stored(content, format)), choose);
    expect([content.equals(plain), warnings.length]).toEqual([true, warned]);
  }
  expect(warnings).toEqual([
    expect.stringMatching(/Cannot find module.*decoded in JavaScript.*Use the image/),
  ]);
});

it('says that nothing decodes LZMA where neither library loads, once, and refuses each chunk of it', () => {
  const warnings: string[] = [];
  const none = chooseLzma(
    (text) => warnings.push(text),
    { missing: 'Cannot find a binary' },
    () => {
      throw new Error('Cannot find lzma');
    },
  );
  const content = programLike('neither', 20_000).read(0, 20_000);
  for (let time = 0; time < 2; time += 1)
    expect(() => decodeChunk(chunkOf(content, stored(content, 'vz')), none)).toThrow(/no decoder/);
  expect(warnings).toEqual([expect.stringMatching(/Cannot find a binary.*Cannot find lzma.*Use the image/)]);
});

it('refuses what the portable library takes for text although it is none', () => {
  const content = Buffer.from([0xc1, 0x81]);
  expect(passesForText(content)).toBe(true);
  expect(() => decodeChunk(chunkOf(content, stored(content, 'vz')), portableLzma())).toThrow(DecodeError);
});

it('refuses what is encrypted under another key, and what is not encrypted', () => {
  const content = Buffer.from('content');
  const chunk = chunkOf(content, stored(content, 'zip'));
  const otherKey = createHash('sha256').update('another depot').digest();
  const lzma = portableLzma();
  expect(() => decodeChunk({ ...chunk, key: otherKey }, lzma)).toThrow(DecodeError);
  for (const length of [0, 1, 16, 31, 32, 48])
    expect(() => decodeChunk({ ...chunk, stored: Buffer.alloc(length) }, lzma)).toThrow(DecodeError);
});
