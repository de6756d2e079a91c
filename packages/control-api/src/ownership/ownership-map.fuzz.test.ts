import { hostileJson } from '@steward/testing/hostile/json';
import { withstand } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { emptyMap, ownershipFormat, printMap } from './ownership-map.ts';

const at = '2026-11-21T06:30:00.000Z';
const text = hostileJson(
  emptyMap,
  {
    ...emptyMap,
    saveGeneration: 3,
    farmhands: {
      '-9223372036854775808': { owner: 'network', id: '18446744073709551615', origin: 'claim' },
      '9007199254740993': { owner: 'platform', id: '76561198000000001', origin: 'operator' },
      '7': { owner: 'released', origin: 'operator' },
    },
    doubts: { since: at, aside: 'owners.corrupt', farmhands: ['5'] },
    unstamped: ['-6'],
  },
  {
    ...emptyMap,
    journal: [{ command: '1', state: 'applied', outcome: { outcome: 'applied', before: {}, after: {} } }],
  },
);

it('a hostile file of owners is refused, or reads the same when it is printed and read again', {
  timeout: 3_600_000,
}, () => {
  fc.assert(
    fc.property(text, (given) => {
      const read = withstand(() => ownershipFormat.read(given));
      if (read.kind !== 'content') {
        expect(read.kind).toMatch(/^(corrupt|newer)$/);
        return;
      }
      for (const [farmhand, record] of Object.entries(read.content.farmhands)) {
        expect(farmhand).toMatch(/^-?[0-9]+$/);
        expect(record.owner).toMatch(/^(platform|network|released)$/);
      }
      // A number beyond all numbers, in what an operator's command changed, is written as null and stays so.
      const printed = withstand(() => printMap(read.content));
      const again = ownershipFormat.read(printed);
      expect(again.kind === 'content' && printMap(again.content)).toBe(printed);
      expect(again.kind === 'content' && again.content.farmhands).toEqual(read.content.farmhands);
    }),
    { numRuns: count({ small: 500, long: 100_000 }) },
  );
});
