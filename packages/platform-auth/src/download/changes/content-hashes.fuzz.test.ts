import { hostileJson } from '@steward/testing/hostile/json';
import { withstandAsync } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { prunedContentHashes } from './content-hashes.ts';

const near = hostileJson(
  { 'Data\\Crops.xnb': 'ab12', 'Maps/Farm.xnb': 'cd34', 'Fonts\\"x"': 'ef', nested: { a: ['}', '"', ','] } },
  {},
);
const text = fc.oneof(
  near,
  near.map((each) => `\ufeff\n ${each.replaceAll(',', ' ,\n\t')} `),
);

it(
  'a hostile list of hashes is left alone, or is the list without what is not there',
  { timeout: 3_600_000 },
  () =>
    fc.assert(
      fc.asyncProperty(text, fc.func(fc.boolean()), async (given, isThere) => {
        const pruned = await withstandAsync(() => prunedContentHashes(given, async (name) => isThere(name)));
        const list = objectIn(given);
        if (pruned === undefined || list === undefined) {
          expect([pruned, list]).toEqual([undefined, undefined]);
          return;
        }
        const there = (name: string) => isThere(`Content/${name.replaceAll('\\', '/')}`);
        const kept = Object.keys(list).filter(there);
        expect(Object.keys(objectIn(pruned) ?? {}).sort()).toEqual(kept.sort());
        expect(pruned.length).toBeLessThanOrEqual(given.length);
      }),
      { numRuns: count({ small: 300, long: 50_000 }) },
    ),
);

it.each([
  ['a plain text', 'a'.repeat(20_000_000)],
  ['a text of escapes', '\\\\'.repeat(2_000_000)],
])('reads a list with %s of many megabytes', async (_what, key) => {
  const list = `{"${key}":"1"}`;
  expect((await withstandAsync(() => prunedContentHashes(list, async () => true)))?.length).toBe(list.length);
});

function objectIn(given: string): object | undefined {
  try {
    const value: unknown = JSON.parse(given.replace(/^\ufeff/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
