import { expect, it } from 'vitest';
import { knownFacts } from './known-facts.ts';
import { emptyMap } from './ownership-map.ts';

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
