import fc from 'fast-check';
import { expect, it } from 'vitest';
import { emptyMap, knownFacts, type OwnerRecord, ownershipFormat, printMap } from './ownership-map.ts';

const farmhandId = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const record: fc.Arbitrary<OwnerRecord> = fc.oneof(
  fc.record({
    owner: fc.constantFrom('platform', 'network'),
    id: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
    origin: fc.constantFrom('claim', 'operator'),
  }),
  fc.constant<OwnerRecord>({ owner: 'released', origin: 'operator' }),
);

it('reads what it prints, every digit of it', () => {
  fc.assert(
    fc.property(fc.dictionary(farmhandId, record), fc.nat(), (farmhands, saveGeneration) => {
      const map = { ...emptyMap, farmhands: { ...farmhands }, saveGeneration };
      const read = ownershipFormat.read(printMap(map));
      expect(read.kind === 'content' && read.content).toEqual(map);
    }),
  );
});

it.each([
  ['', 'corrupt'],
  ['{"version":1,"farmhands"', 'corrupt'],
  ['[]', 'corrupt'],
  ['{"version":1}', 'corrupt'],
  ['{"version":1,"saveGeneration":0,"farmhands":{"x":{}},"journal":[]}', 'corrupt'],
  ['{"version":2}', 'newer'],
  ['{"version":2,"farmhands":7}', 'newer'],
])('says of %j that it is %s', (text, kind) => {
  expect(ownershipFormat.read(text)).toMatchObject({ kind });
});

it('finds a file that was cut off anywhere corrupt, never a smaller map', () => {
  const map = {
    ...emptyMap,
    farmhands: {
      '7': { owner: 'network', id: '5', origin: 'claim' } as const,
      '-9': { owner: 'released', origin: 'operator' } as const,
    },
  };
  const text = printMap(map).trimEnd();
  for (let length = 0; length < text.length; length += 1)
    expect(ownershipFormat.read(text.slice(0, length)).kind).toBe('corrupt');
});

const farm = { farmId: 'Meadow_1', saveGeneration: 3 };
const nobodys = { owned: false, released: false };
const doubts = { since: '2026-11-20T06:30:00.000Z', aside: 'lost', farmhands: ['1', '2'] };
const ann = { id: '1', isCustomized: true };

it('tells that nobody owns a farmhand from the map of its own farm alone', () => {
  const view = { farmId: 'Meadow_1', map: emptyMap };
  expect(knownFacts(view, { farm })(ann)).toEqual(nobodys);
  expect(knownFacts(view, { farm: { ...farm, farmId: 'Hill_2' } })(ann)).toBeUndefined();
  expect(knownFacts(view, { farm: null })(ann)).toBeUndefined();
  expect(knownFacts({ farmId: undefined, map: undefined }, { farm: undefined })(ann)).toBeUndefined();
});

it('tells nothing of a farmhand whose record was lost, and that a fresh slot is nobody’s', () => {
  const view = { farmId: 'Meadow_1', map: { ...emptyMap, doubts } };
  expect(knownFacts(view, { farm })(ann)).toBeUndefined();
  expect(knownFacts(view, { farm })({ id: '2', isCustomized: false })).toEqual(nobodys);
  expect(knownFacts(view, { farm })({ id: '3', isCustomized: true })).toEqual(nobodys);
});
