import { expect, it } from 'vitest';
import { testSettings } from '../../test/test-farm.ts';
import { type FarmState, foundFarm } from '../saves/farm-state.ts';
import { Random } from '../time/random.ts';
import {
  type CabinStrategy,
  changeStrategy,
  isHidden,
  mapSpots,
  nextTile,
  placeCabin,
  resetCabin,
} from './cabins.ts';

function farmWith(cabins: number, cabinStrategy: CabinStrategy): FarmState {
  const state = foundFarm(testSettings, new Random('cabins'));
  state.cabinStrategy = cabinStrategy;
  for (let id = 1; id <= cabins; id++) {
    const tile = nextTile(state);
    if (tile !== undefined) state.cabins.push({ tileX: tile.x, tileY: tile.y, ownerId: String(id) });
  }
  return state;
}

it.each(['CabinStack', 'FarmhouseStack'] as const)(
  'keeps any number of cabins out of sight: %s',
  (strategy) => {
    const state = farmWith(50, strategy);
    expect(state.cabins).toHaveLength(50);
    expect(state.cabins.every(isHidden)).toBe(true);
    expect(state.cabins[0]).toMatchObject({ tileX: -20, tileY: -20 });
  },
);

it('puts cabins on the map one by one, and stops when its spots are taken: None', () => {
  const state = farmWith(50, 'None');
  expect(state.cabins).toHaveLength(mapSpots.length);
  expect(new Set(state.cabins.map(({ tileX, tileY }) => `${tileX} ${tileY}`)).size).toBe(mapSpots.length);
  expect(nextTile(state)).toBeUndefined();
});

it('puts one cabin where its owner wants it, remembers that, and takes it back', () => {
  const state = farmWith(2, 'CabinStack');
  expect(placeCabin(state, '1')).toBe(true);
  expect([state.cabins.map(isHidden), state.placedCabins]).toEqual([[false, true], ['1']]);
  resetCabin(state, '1');
  expect([state.cabins.map(isHidden), state.placedCabins]).toEqual([[true, true], []]);
});

it('brings hidden cabins onto the map when stacking ends, if there is room for all', () => {
  const few = farmWith(3, 'CabinStack');
  expect(changeStrategy(few, 'None', false)).toBe(true);
  expect(few.cabins.some(isHidden)).toBe(false);
  const many = farmWith(8, 'CabinStack');
  expect(changeStrategy(many, 'None', false)).toBe(false);
  expect([many.cabinStrategy, many.cabins.every(isHidden)]).toEqual(['CabinStack', true]);
});

it('leaves cabins on the map when stacking begins, or moves all but those placed manually', () => {
  const kept = farmWith(3, 'None');
  changeStrategy(kept, 'CabinStack', false);
  expect(kept.cabins.some(isHidden)).toBe(false);
  const moved = farmWith(3, 'None');
  moved.placedCabins.push('2');
  changeStrategy(moved, 'FarmhouseStack', true);
  expect(moved.cabins.map(isHidden)).toEqual([true, false, true]);
});
