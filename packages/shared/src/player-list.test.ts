import { isIP } from 'node:net';
import { anyText } from '@steward/testing/hostile/text';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fits, inBits, readListFile } from './player-list.ts';

const read = (text: string, list = 'bans') => readListFile(text, list, (word) => isIP(word) !== 0);

const plain = `
// players who are banned
76561198000000001 // somebody
platform_76561198000000002
banid 0 76561198000000003
"76561198000000004"
198.51.100.7 # by address
addip 0 2001:db8::/32
00046265193014;Griefing
Robin
`;

it('reads lists as other servers keep them: one a line, whatever stands beside', () => {
  expect(read(plain)).toEqual({
    rows: [
      { identity: '76561198000000001' },
      { identity: '76561198000000002' },
      { identity: '76561198000000003' },
      { identity: '76561198000000004' },
      { address: '198.51.100.7' },
      { address: '2001:db8::/32' },
      { identity: '46265193014' },
    ],
    unread: [{ line: 10, text: 'Robin' }],
  });
});

it('reads what the API gives, and bare rows', () => {
  const rows = [{ identity: '5', reason: 'Griefing' }, { address: '8.8.8.8' }];
  expect(read(JSON.stringify({ bans: rows }))?.rows).toEqual(rows);
  expect(read(JSON.stringify({ bans: rows }), 'allowlist')?.rows).toEqual([]);
  expect(read(JSON.stringify({ isOn: true, allowlist: rows }), 'allowlist')?.rows).toEqual(rows);
  expect(read(JSON.stringify(rows))?.rows).toEqual(rows);
});

it('takes the longest of several numbers for the id, and nobody out of what is no list', () => {
  expect(read('banned 20261123 76561198000000005')?.rows).toEqual([{ identity: '76561198000000005' }]);
  expect(read('{"bans": 5}')?.rows).toEqual([]);
});

it('reads both after a byte order mark, as some editors begin a file', () => {
  for (const text of ['{"bans":[{"identity":"76561198000000001"}]}', '76561198000000001\n'])
    expect(read(`\ufeff${text}`)).toEqual({
      rows: [{ identity: '76561198000000001' }],
      unread: [],
    });
});

it('takes nothing for an id out of JSON that is damaged', () => {
  const damaged = '{\n "bans": [\n  { "playerId": "620826087702429092",\n    "address": "198.51.100.7" },\n';
  expect(read(damaged)).toBeUndefined();
  expect(read('[{"identity": "5"},]')).toBeUndefined();
});

it('reads whatever somebody brings, and takes nothing but half a JSON for damaged', () => {
  fc.assert(
    fc.property(fc.oneof(anyText(), fc.json()), (text) => {
      const begins = /^\ufeff?\s*[[{]/.test(text);
      expect(read(text) !== undefined || begins).toBe(true);
    }),
    { numRuns: count({ small: 500, long: 50_000 }) },
  );
});

it('sends all of a list in bits that fit into a query', () => {
  const row = fc.record({
    identity: fc.constant('76561198000000001'),
    reason: fc.string({ maxLength: 200, unit: 'grapheme' }),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 200 }), (rows) => {
      const bits = inBits(rows);
      expect(bits.flat()).toEqual(rows);
      const longest = Math.max(0, ...bits.map((bit) => encodeURIComponent(JSON.stringify(bit)).length));
      expect(longest).toBeLessThanOrEqual(10_000);
      expect(bits.every(fits)).toBe(true);
    }),
    { numRuns: count({ small: 50, long: 1_000 }) },
  );
});
