import { hash } from 'node:crypto';
import { chunkFormats, compressChunk } from '@steward/platform-emulator/depot/chunk/chunk-format';
import { encryptSymmetric } from '@steward/platform-emulator/depot/chunk/symmetric-cipher';
import { programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { damaged, garbage } from '@steward/testing/hostile/bytes';
import { withstand } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trying } from '../../../test/world/trying-lzma.ts';
import { decodeChunk } from './decode-chunk.ts';
import { DecodeError } from './decode-error.ts';
import { nativeLzma, portableLzma } from './lzma.ts';

const key = Buffer.alloc(32, 7);
const runs = { numRuns: count({ small: 200, long: 50_000 }) };
const content = programLike('a chunk', 3_000).read(0, 3_000);
const chunk = { key, id: hash('sha1', content, 'hex'), bytes: content.length };

describe.each([
  ['the portable decoder', portableLzma()],
  ['the native decoder', nativeLzma()],
])('with %s', (_name, decoder) => {
  const lzma = trying(decoder);
  it.each(chunkFormats)(
    'a hostile %s chunk holds what its name says, or is refused',
    { timeout: 3_600_000 },
    (format) => {
      const packed = compressChunk(content, format);
      const inside = damaged(fc.constant(packed)).map((bytes) => encryptSymmetric(bytes, key));
      const outside = damaged(fc.constant(encryptSymmetric(packed, key)));
      fc.assert(
        fc.property(fc.oneof(inside, outside, garbage()), (stored) => {
          try {
            const plain = withstand(() => decodeChunk({ ...chunk, stored }, lzma));
            expect(content.equals(plain)).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError);
          }
        }),
        runs,
      );
    },
  );
});
