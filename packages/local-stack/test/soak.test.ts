import { count, seed } from '@steward/testing/scale';
import { expect, it } from 'vitest';
import { runToItsEnd } from './chaos/run-to-its-end.ts';
import { runSoak } from './soak/soak-run.ts';
import { told } from './soak/weights.ts';

const soakMs = count({ small: 15_000, long: 1_800_000 });
const mebibyte = 1024 * 1024;

/** What may grow over the part of a life that is looked at. */
const limits = {
  /** A short life is all start: its caches fill, and connections come back. */
  young: {
    heap: { warmUp: 1 / 3, growth: 24 * mebibyte },
    rss: { warmUp: 1 / 3, growth: 96 * mebibyte },
    handles: { warmUp: 1 / 3, growth: 8 },
  },
  /** In a long one they are full after its first third, and what still grows would do so for ever. */
  settled: {
    heap: { warmUp: 1 / 3, growth: 3 * mebibyte },
    rss: { warmUp: 1 / 3, growth: 24 * mebibyte },
    handles: { warmUp: 1 / 3, growth: 3 },
  },
  settledAfterMs: 180_000,
  page: { warmUp: 1 / 3, heap: count({ small: 16, long: 4 }) * mebibyte, nodes: 2_000 },
  longestTurnMs: 200,
} as const;

it(
  `runs for ${soakMs / 1_000} s at a hundred times the game's speed, in use and in trouble, and neither grows nor loses anything`,
  async (context) => {
    process.stdout.write(`soak, seed ${seed}\n`);
    const { text, weights, house, reckoning, ...counts } = await runToItsEnd(context, (signal) =>
      runSoak({ seed, signal, forMs: soakMs }),
    );
    const trends = weights
      .verdicts(limits)
      .map(({ process: name, measure, verdict }) => `  ${name}: ${measure} ${told(measure, verdict)}\n`);
    process.stdout.write(`  ${text}\n${trends.join('')}`);
    expect(weights.unweighed(limits)).toEqual([]);
    expect(weights.violations(limits)).toEqual([]);
    expect(house.page.violations(limits.page)).toEqual([]);
    expect(reckoning.violations).toEqual([]);
    expect(reckoning.runs).toBeGreaterThan(0);
    expect(house.drains).toBeGreaterThan(0);
    expect(house.neighbours.restarts).toBeGreaterThan(0);
    expect(counts.backups).toBeGreaterThan(0);
    expect(counts.storms).toBeGreaterThanOrEqual(count({ small: 4, long: 60 }));
    expect(counts.joins).toBeGreaterThanOrEqual(count({ small: 40, long: 500 }));
    expect(counts.faults).toBeGreaterThanOrEqual(count({ small: 21, long: 100 }));
    expect(counts.writerDeaths).toBeGreaterThan(0);
    for (const kills of counts.kills) expect(kills).toBeGreaterThan(0);
  },
  soakMs + count({ small: 300_000, long: 600_000 }),
);
