import { Child } from '../download/child.ts';
import type { Measured } from '../download/measured.ts';
import type { Served } from '../download/serve-depots.ts';
import type { Growth } from '../page/growth-row.ts';
import { doubled } from './doubling.ts';

const mb = 1_000_000;

/** The download of a depot of so many MB, whole. */
export function depot(): Promise<Growth> {
  return doubledDepot({
    doubled: 'depot size',
    timed: 'the download of so many MB (zstd), checked and published',
    asking: (number) => ({ mb: number }),
    from: 24,
    most: { number: 1_536, because: 'the real game is no larger' },
    each: 'MB',
  });
}

/** The same of so many files of a kilobyte. */
export function depotFiles(): Promise<Growth> {
  return doubledDepot({
    doubled: 'depot files',
    timed: 'the download of so many files of 1 KB (zstd), checked and published',
    asking: (number) => ({ files: number }),
    from: 3_125,
    most: { number: 100_000, because: 'a list of more files is refused' },
    each: 'file',
  });
}

interface Asked extends Pick<Growth, 'doubled' | 'timed'> {
  readonly asking: (number: number) => object;
  readonly from: number;
  readonly most: { readonly number: number; readonly because: string };
  readonly each: string;
}

async function doubledDepot({ doubled: what, timed, asking, from, most, each }: Asked): Promise<Growth> {
  const platform = new Child('../growth/depot-server');
  try {
    const grown = await doubled({
      from,
      most,
      isBrokenWhenSlow: false,
      step: async (number) => {
        const served = await platform.ask<Served>(asking(number));
        const ours = new Child('ours', { NODE_EXTRA_CA_CERTS: served.caFile });
        try {
          const { mbPerSecond, peakMb } = await ours.ask<Measured>(served);
          const ms = (served.bytes / mb / mbPerSecond) * 1_000;
          return { number, medianMs: ms, eachUs: (ms * 1_000) / number, memoryMb: peakMb };
        } finally {
          await ours.stop();
        }
      },
    });
    return {
      doubled: what,
      timed,
      ...grown,
      madeFor: most.number,
      breaks: `${grown.end}. The cost of each ${each} is time here, and memory the peak.`,
    };
  } finally {
    await platform.stop();
  }
}
