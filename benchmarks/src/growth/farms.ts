import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '@steward/testing/quantile';
import { cpuOf, type FarmsTogether, withFarms } from '../fleet/farms-together.ts';
import { proportionalMb } from '../memory.ts';
import type { Growth } from '../page/growth-row.ts';
import { doubled } from './doubling.ts';

const from = 1;
const settledMs = 2_000;
const restMs = 5_000;
const reads = 50;

/** A farm with a simulated game; of the memory that is free half is left. */
const mbOfEach = 350;
const leftShare = 0.5;
const bytesOfMb = 1_000_000;

/** As docs/many-farms.md has it: half a core for a real game. */
const farmsOfCore = 2;

/** Whole farms on this machine, joinable, with nobody there, and somebody who looks at all of them at once. */
export function farms(): Promise<Growth> {
  const room = Math.floor((process.availableMemory() * leftShare) / (mbOfEach * bytesOfMb));
  return withFarms(Math.max(room, from), async (together) => {
    const grown = await doubled({
      from,
      most: { number: room, because: 'more would take more than half of the memory that is free' },
      step: async (number) => {
        await together.start(number - together.all.length);
        await pause(settledMs);
        const services = together.all.flatMap((stack) => stack.services);
        const before = cpuOf(services);
        const began = performance.now();
        await pause(restMs);
        const restSeconds = (performance.now() - began) / 1_000;
        const eachUs = ((cpuOf(services) - before) * 1_000) / restSeconds / number;
        const took = await lookedAt(together);
        return {
          number,
          medianMs: quantile(took, 0.5),
          p99Ms: quantile(took, 0.99),
          eachUs,
          memoryMb: services.reduce((total, { pid }) => total + proportionalMb(pid), 0),
        };
      },
    });
    return {
      doubled: 'farms',
      timed: 'GET /status of every farm at once',
      ...grown,
      madeFor: farmsOfCore * availableParallelism(),
      breaks: `${grown.end}. The cost of each farm is its services' processor time in a second at rest, memory that of all; made for is what real games leave room for.`,
    };
  });
}

async function lookedAt({ all }: FarmsTogether): Promise<readonly number[]> {
  const took: number[] = [];
  for (let read = 0; read < reads; read += 1) {
    const times = await Promise.all(
      all.map(async ({ api }) => {
        const began = performance.now();
        const answer = await fetch(`${api.origin}/status`);
        await answer.text();
        if (!answer.ok) throw new Error(`/status answers ${answer.status}`);
        return performance.now() - began;
      }),
    );
    took.push(...times);
  }
  return took;
}
