import { expect, it } from 'vitest';
import { subjectOf } from './subject.ts';

const applied = { outcome: 'applied', before: {}, after: {} } as const;
const id = '620826087702429092';

it('is whom the game says, whatever was asked for', () => {
  expect(subjectOf({ ...applied, subject: { id, name: 'Ann' } }, { name: 'ann' })).toEqual({
    playerId: BigInt(id),
    playerIdStr: id,
    playerName: 'Ann',
  });
});

it('is what was asked for where the game says nothing', () => {
  expect(subjectOf(applied, { playerId: id })).toEqual({
    playerId: BigInt(id),
    playerIdStr: id,
    playerName: '',
  });
});

it('has no id rather than a wrong one where nobody has told whose the name is', () => {
  expect(subjectOf(applied, { name: 'Ann' })).toEqual({ playerName: 'Ann' });
});
