import { expect, it } from 'vitest';
import { farmTypeOf } from './farm-state.ts';

it.each([
  [0, 'Standard'],
  ['5', 'FourCorners'],
  [7, 'MeadowlandsFarm'],
  ['four corners', 'FourCorners'],
  ['Meadowlands', 'MeadowlandsFarm'],
  ['meadowlands farm', 'MeadowlandsFarm'],
  [8, 'Standard'],
  ['somebody.else.mod', 'Standard'],
])('reads the setting %j as %s', (setting, type) => {
  expect(farmTypeOf(setting)).toBe(type);
});
