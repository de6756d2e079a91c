import { Program } from '@steward/testing/program';
import { count } from '@steward/testing/scale';
import { expect, test } from 'vitest';

const bytes = count({ small: 40_000_000, long: 1_500_000_000 });
// A fifth of the real game, and room for what the collector has not got to yet.
const mostGrowth = 300_000_000;

test('a tree is never in memory as a whole, neither while it is built nor while it is served', {
  timeout: 600_000,
}, async () => {
  // A process of its own: with what other tests have left on the heap, the collector comes when it likes.
  await using program = new Program('packages/platform-emulator/test/built-tree.ts', [String(bytes)]);
  expect(await program.exited).toEqual({ code: 0, signal: null });
  const { growth, served, sizeToDownload, sizeOnDisk } = JSON.parse(program.stdout.join(''));
  expect(served).toBe(sizeToDownload);
  expect(sizeOnDisk / bytes).toBeGreaterThan(0.99);
  expect(growth).toBeLessThan(mostGrowth);
});
