import { readJson } from '@steward/service-kit/json';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fits, inBits, readListFile } from './list-file.ts';

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
  expect(readListFile(plain, 'bans')).toEqual({
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
  expect(readListFile(JSON.stringify({ bans: rows }), 'bans').rows).toEqual(rows);
  expect(readListFile(JSON.stringify({ bans: rows }), 'allowlist').rows).toEqual([]);
  expect(readListFile(JSON.stringify({ isOn: true, allowlist: rows }), 'allowlist').rows).toEqual(rows);
  expect(readListFile(JSON.stringify(rows), 'bans').rows).toEqual(rows);
});

it('reads both after a byte order mark, as some editors begin a file', () => {
  for (const text of ['{"bans":[{"identity":"76561198000000001"}]}', '76561198000000001\n'])
    expect(readListFile(`\ufeff${text}`, 'bans')).toEqual({
      rows: [{ identity: '76561198000000001' }],
      unread: [],
    });
});

it('takes nothing for an id out of JSON that is damaged', () => {
  const damaged = '{\n "bans": [\n  { "playerId": "620826087702429092",\n    "address": "198.51.100.7" },\n';
  expect(() => readListFile(damaged, 'bans')).toThrow('The file begins as JSON does, and is none');
  expect(() => readListFile('[{"identity": "5"},]', 'bans')).toThrow('mend it');
});

it('reads whatever somebody brings, and throws nothing that no operator understands', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
      if (/^\ufeff?\s*[[{]/.test(text) && readJson(text) === undefined) return;
      for (const { length } of [readListFile(text, 'bans').rows]) expect(length).toBeGreaterThanOrEqual(0);
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
