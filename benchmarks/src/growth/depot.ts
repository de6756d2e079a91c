import { Child } from '../download/child.ts';
import type { Measured } from '../download/measured.ts';
import type { Served } from '../download/serve-depots.ts';
import type { Growth } from '../page/growth-row.ts';
import { doubled } from './doubling.ts';

const fromMb = 16;
const mostMb = 1_536;
const mb = 1_000_000;

/** The download of a depot of so many MB, whole. */
export async function depot(): Promise<Growth> {
  const platform = new Child('../growth/depot-server');
  try {
    const { steps, end } = await doubled({
      from: fromMb,
      most: { number: mostMb, because: 'the real game is no larger' },
      isBrokenWhenSlow: false,
      step: async (number) => {
        const served = await platform.ask<Served>({ mb: number });
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
      doubled: 'depot size',
      timed: 'the download of so many MB (zstd), checked and published',
      steps,
      breaks: `${end}. The cost of each MB is time here, and memory the peak.`,
    };
  } finally {
    await platform.stop();
  }
}
