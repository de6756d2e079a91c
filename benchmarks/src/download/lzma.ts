import { nativeLzma, portableLzma } from '@steward/platform-auth/download/decode/lzma';
import { incompressible, programLike } from '@steward/platform-emulator/depot/game/generated-content';
import { encodeLzma, lzmaProperties } from '@steward/platform-emulator/depot/lzma/encode-lzma';
import { type Comparison, interleave } from '../comparison.ts';

const rounds = 6;
const chunkBytes = 1024 * 1024;
const chunksARound = 4;
/** The first rounds are for the compiler. */
const warmUps = 1;

const contents = [
  ['program-like', programLike, 5],
  ['incompressible', incompressible, 3],
] as const;

/** What a core decodes by either decoder of the sidecar: the one that its image has, and the one for where no binary loads. */
export async function lzma(): Promise<readonly Comparison[]> {
  const native = nativeLzma();
  if (typeof native !== 'function') throw new Error(native.missing);
  const portable = portableLzma();
  const comparisons: Comparison[] = [];
  for (const [what, make, atLeast] of contents) {
    const chunks = Array.from({ length: chunksARound }, (_, index) =>
      encodeLzma(make(`chunk ${index}`, chunkBytes).read(0, chunkBytes)),
    );
    const rate = async (decode: typeof native): Promise<number> => {
      const before = process.cpuUsage();
      for (const chunk of chunks) decode(lzmaProperties, chunk, chunkBytes);
      const { user, system } = process.cpuUsage(before);
      // Bytes in a microsecond are megabytes in a second.
      return (chunks.length * chunkBytes) / (user + system);
    };
    const measured = await interleave(warmUps + rounds, {
      ours: () => rate(native),
      limit: () => rate(portable),
    });
    comparisons.push({
      figure: `LZMA decoded by one core, ${what}`,
      unit: 'MB/s',
      ours: measured.ours.slice(warmUps),
      limit: measured.limit.slice(warmUps),
      beside: 'where no binary loads',
      atLeast,
    });
  }
  return comparisons;
}
