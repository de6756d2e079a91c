import { expect, it } from 'vitest';
import { farmhandsMeant } from './farmhands-meant.ts';

const ann = { id: '1', name: 'Ann' };
const otherAnn = { id: '2', name: 'ANN' };
const slots = [ann, otherAnn, { id: '3', name: 'Annabel' }];

it.each([
  ['an id, one', { playerId: '2' }, [otherAnn]],
  ['an id that nobody has, nobody', { playerId: '4' }, []],
  ['a name in any case, all who have it', { name: 'ann' }, [ann, otherAnn]],
  ['the beginning of a name, nobody', { name: 'An' }, []],
])('means by %s', (_what, target, meant) => {
  expect(farmhandsMeant(slots, target)).toEqual(meant);
});
