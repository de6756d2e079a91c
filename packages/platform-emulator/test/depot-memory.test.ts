import { count } from '@steward/testing/scale';
import { expect, test } from 'vitest';
import { buildGame } from '../src/depot/game/build-game.ts';

const bytes = count({ small: 40_000_000, long: 1_500_000_000 });
// A fifth of the real game, and room for what the collector has not got to yet.
const mostGrowth = 300_000_000;

test('a tree is never in memory as a whole, neither while it is built nor while it is served', () => {
  const before = process.memoryUsage.rss();
  let peak = before;
  const chunkStore = () => ({
    get() {
      peak = Math.max(peak, process.memoryUsage.rss());
      return undefined;
    },
    put() {},
  });
  const { linux } = buildGame({ seed: 'memory', bytes, format: 'zstd', chunkStore });
  let served = 0;
  for (const id of linux.chunkIds) served += linux.chunk(id)?.length ?? 0;
  expect(served).toBe(linux.sizeToDownload);
  expect(linux.sizeOnDisk / bytes).toBeGreaterThan(0.99);
  expect(peak - before).toBeLessThan(mostGrowth);
}, 600_000);
