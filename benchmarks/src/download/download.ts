import { type Comparison, interleave } from '../comparison.ts';
import { Bare } from '../start/bare.ts';
import { Child } from './child.ts';
import type { FormatName } from './depots.ts';
import { inService } from './in-service.ts';
import type { Measured } from './measured.ts';
import type { Served } from './serve-depots.ts';

const rounds = 3;
/** The library gives up, or dies, of a single request that takes too long, as on a busy machine; then it gets another chance. */
const chances = { ours: 1, limit: 1, library: 3 };

interface Bars {
  readonly depot: FormatName;
  readonly what: string;
  /** How many times as fast as the library with a native LZMA decoder, at least. */
  readonly overLibrary: number;
}

const formats: readonly Bars[] = [
  { depot: 'lzma-program', what: 'LZMA, program-like', overLibrary: 1.3 },
  { depot: 'lzma-noise', what: 'LZMA, incompressible', overLibrary: 1.3 },
  { depot: 'zip', what: 'zip', overLibrary: 1.5 },
  { depot: 'zstd', what: 'zstd', overLibrary: 2.5 },
];

/** With its own decoder the library is so slow that it gets a slice, once. */
const slices = [
  { of: 'lzma-program', what: 'LZMA, program-like', atLeast: 40 },
  { of: 'lzma-noise', what: 'LZMA, incompressible', atLeast: 30 },
] as const;

const mixedBytes = '400 MB';
/** Of the plain loop's rate. */
const shareOfLimit = 0.7;
/** Of the service and the process that downloads, together. */
const mostMb = 300;
/** What the service may have beside what it has idle, two minutes after a download. */
const shareOfIdle = 1.15;
const mostLoopDelayMs = 20;
const mostHealthMs = 20;

/** The whole download beside the library's own way, and beside the plainest loop that there could be. */
export async function download(): Promise<readonly Comparison[]> {
  const platform = new Child('platform-server');
  try {
    const comparisons: Comparison[] = [];
    for (const { depot, what, overLibrary } of formats) {
      const served = await platform.ask<Served>(depot);
      const measured = await interleave(rounds, {
        limit: () => measure('limit', served),
        library: () => measure('library', served, { NATIVE_LZMA: '1' }),
        ours: () => measure('ours', served),
      });
      const rates = (subject: keyof typeof measured) =>
        measured[subject].map(({ mbPerSecond }) => mbPerSecond);
      const figure = `download, ${what}`;
      comparisons.push(
        {
          figure,
          unit: 'MB/s',
          ours: rates('ours'),
          limit: rates('limit'),
          beside: 'plain loop',
          atLeast: shareOfLimit,
        },
        {
          figure,
          unit: 'MB/s',
          ours: rates('ours'),
          limit: rates('library'),
          beside: 'steam-user with lzma-native',
          atLeast: overLibrary,
        },
      );
    }
    for (const { of, what, atLeast } of slices) {
      // Right before and after, since the library's one run takes long enough for the machine to become another.
      const before = await measure('ours', await platform.ask<Served>(of));
      const { mbPerSecond } = await measure('library', await platform.ask<Served>(`slice of ${of}`));
      const after = await measure('ours', await platform.ask<Served>(of));
      const rates = [before.mbPerSecond, after.mbPerSecond];
      const limit = rates.map(() => mbPerSecond);
      comparisons.push({
        figure: `download, ${what}`,
        unit: 'MB/s',
        ours: rates,
        limit,
        beside: 'steam-user alone',
        atLeast,
      });
    }
    const bare = await Bare.measured();
    const figure = `download of ${mixedBytes} of code and random data in the service`;
    const service = await inService(await platform.ask<Served>('mixed'));
    comparisons.push(
      bare.beside({ figure: `${figure}: peak memory`, unit: 'MB', ours: [service.peakMb] }, 'idleMb', mostMb),
      {
        figure: `${figure}: memory two minutes after`,
        unit: 'MB',
        ours: [service.afterwardsMb],
        limit: [service.idleMb],
        beside: 'started on whole files',
        atMost: shareOfIdle,
      },
      bare.beside(
        { figure: `${figure}: event-loop delay, p99`, unit: 'ms', ours: [service.loopDelayP99Ms] },
        'startCpuMs',
        mostLoopDelayMs,
      ),
      bare.beside(
        { figure: `${figure}: GET /health, p99`, unit: 'ms', ours: [service.healthP99Ms] },
        'startCpuMs',
        mostHealthMs,
      ),
    );
    return comparisons;
  } finally {
    await platform.stop();
  }
}

/** Each in a process of its own, which knows nothing of what was measured before. */
async function measure(
  subject: keyof typeof chances,
  served: Served,
  env: NodeJS.ProcessEnv = {},
): Promise<Measured> {
  for (let chance = 1; ; chance += 1) {
    const child = new Child(subject, { NODE_EXTRA_CA_CERTS: served.caFile, ...env });
    const began = performance.now();
    try {
      const measured = await child.ask<Measured>(served);
      const { mbPerSecond, peakMb, loopDelayP99Ms } = measured;
      // The table comes at the end, minutes later.
      console.error(
        `${subject}: ${mbPerSecond.toFixed(1)} MB/s, ${Math.round(peakMb)} MB, loop ${loopDelayP99Ms.toFixed(1)} ms; ${Math.round((performance.now() - began) / 1_000)} s in all`,
      );
      return measured;
    } catch (error) {
      if (chance === chances[subject]) throw error;
      console.error(`${subject}: ${error instanceof Error ? error.message : String(error)}; once more`);
    } finally {
      await child.stop();
    }
  }
}
