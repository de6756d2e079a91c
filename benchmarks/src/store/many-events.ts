import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from '@steward/testing/quantile';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { shipped } from '@steward/tools/bundle/bundle';
import { type Comparison, interleave } from '../comparison.ts';
import { Bare } from '../start/bare.ts';
import { type Started, startApiOnce } from '../start/started.ts';
import { fill, pageMs, pages, withHistory } from './history.ts';

const events = 1_000_000;
const name = events.toLocaleString('en');
const startRounds = 11;
const pageRounds = 7;
const pagesARound = 200;

/** What a start on them may take of an empty one. */
const startRatio = 1.3;
const memoryRatio = 1.05;
const pageBarMs = 5;

/** What a million events make of the start, and how long a page of them takes. */
export async function manyEvents(): Promise<readonly Comparison[]> {
  using directory = temporaryDirectory();
  const full = join(directory.path, 'full');
  const unfilled = join(directory.path, 'unfilled');
  for (const state of [full, unfilled]) mkdirSync(state);
  await withHistory(full, (history) => fill(history, events));
  await withHistory(unfilled, async () => {});
  return [...(await starts(full, unfilled)), ...(await reads(full))];
}

/** Beside an empty STATE_DIR, where the database has yet to be made, and beside a database without events. */
async function starts(full: string, unfilled: string): Promise<readonly Comparison[]> {
  using api = await shipped('control-api');
  const startOn = (state?: string) => startApiOnce(api.main, state === undefined ? {} : { STATE_DIR: state });
  const { ours, ...others } = await interleave(startRounds, {
    'empty STATE_DIR': () => startOn(),
    'no event': () => startOn(unfilled),
    ours: () => startOn(full),
  });
  return Object.entries(others).flatMap(([beside, other]) => {
    const compare = (figure: string, unit: string, value: (one: Started) => number, atMost: number) => ({
      figure: `control-api with ${name} events: ${figure}`,
      unit,
      ours: ours.map(value),
      limit: other.map(value),
      beside,
      atMost,
    });
    return [
      compare('start to listening', 'ms', ({ startMs }) => startMs, startRatio),
      compare('processor time of the start', 'ms', ({ startCpuMs }) => startCpuMs, startRatio),
      compare('memory when idle', 'MB', ({ idleMb }) => idleMb, memoryRatio),
    ];
  });
}

/** Of pages at places all over the history, so that hardly one was read before. */
async function reads(full: string): Promise<readonly Comparison[]> {
  const bare = await Bare.measured();
  return await withHistory(full, async (history) => {
    const random = seededRandom(1);
    const found: Comparison[] = [];
    for (const [which, queryAt] of Object.entries(pages)) {
      const rounds: number[][] = [];
      for (let round = 0; round < pageRounds; round += 1) {
        const times: number[] = [];
        for (let page = 0; page < pagesARound; page += 1)
          times.push(
            await pageMs(history, queryAt({ epoch: history.epoch, number: Math.ceil(random() * events) })),
          );
        rounds.push(times);
      }
      const compare = (share: string, of: number) => {
        const figure = `a page of 100 of ${name} events, ${which}, ${share}`;
        const ours = rounds.map((times) => quantile(times, of));
        return bare.beside({ figure, unit: 'ms', ours }, 'startCpuMs', pageBarMs);
      };
      found.push(compare('median', 0.5), compare('p99', 0.99));
    }
    return found;
  });
}
