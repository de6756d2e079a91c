import { beforeEach } from 'vitest';
import type { DecodeLzma, nativeLzma } from '../../src/download/decode/lzma.ts';

/** A decoder for the tests around; a machine without it cannot try it, and says so among the results. */
export function trying(decoder: ReturnType<typeof nativeLzma>): DecodeLzma {
  if (typeof decoder === 'function') return decoder;
  beforeEach(({ skip }) => skip(`@napi-rs/lzma does not load here: ${decoder.missing}`));
  return () => {
    throw new Error(decoder.missing);
  };
}
