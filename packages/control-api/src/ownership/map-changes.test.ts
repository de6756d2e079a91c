import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approved, eachFarmhand, withoutDoubt, withRecord } from './map-changes.ts';
import { emptyMap, type OwnerRecord, type OwnershipMap, releasedRecord } from './ownership-map.ts';
import { visitorOf } from './visitor.ts';

const owner = (id: string): OwnerRecord => ({ owner: 'network', id, origin: 'claim' });
const ids = ['1', '2', '3', '4', '5'];
const id = fc.constantFrom(...ids);

const some = fc.uniqueArray(id);
const map = fc.record({ owned: some, doubted: some, unstamped: some }).map(
  ({ owned, doubted, unstamped }): OwnershipMap => ({
    ...emptyMap,
    farmhands: Object.fromEntries(owned.map((farmhand) => [farmhand, owner('7')])),
    ...(doubted.length === 0
      ? {}
      : { doubts: { since: '2026-01-01T00:00:00.000Z', aside: 'lost', farmhands: doubted } }),
    ...(unstamped.length === 0 ? {} : { unstamped }),
  }),
);

const changes = {
  owns: (before: OwnershipMap, farmhand: string) => withRecord(before, farmhand, owner('8')),
  forgets: (before: OwnershipMap, farmhand: string) => withRecord(before, farmhand, undefined),
  releases: (before: OwnershipMap, farmhand: string) => withRecord(before, farmhand, releasedRecord),
  takesByAddress: (before: OwnershipMap, farmhand: string) => approved(before, farmhand, visitorOf('L_7f21')),
  settles: (before: OwnershipMap, farmhand: string) => withoutDoubt(before, farmhand),
  leaves: (before: OwnershipMap) => before,
};
const step = fc.record({
  farmhand: id,
  change: fc.constantFrom<keyof typeof changes>(
    'owns',
    'forgets',
    'releases',
    'takesByAddress',
    'settles',
    'leaves',
  ),
});

describe('a change to each of many farmhands', () => {
  it('gives what the changes give one after the other', () => {
    fc.assert(
      fc.property(map, fc.array(step), (before, steps) => {
        const oneByOne = steps.reduce((now, { farmhand, change }) => changes[change](now, farmhand), before);
        const together = eachFarmhand(
          before,
          steps,
          ({ farmhand }) => farmhand,
          (alone, { farmhand, change }) => changes[change](alone, farmhand),
        );
        expect(together).toEqual(oneByOne);
      }),
    );
  });

  it('gives the map itself where nothing changes', () => {
    const before = withRecord(emptyMap, '1', owner('7'));
    expect(eachFarmhand(before, ids, String, (alone) => alone)).toBe(before);
  });

  it('shows each change its own farmhand and no other, however many there are', () => {
    const before = withRecord(withRecord(emptyMap, '1', owner('7')), '2', owner('7'));
    const seen: string[][] = [];
    eachFarmhand(before, ids, String, (alone) => {
      seen.push(Object.keys(alone.farmhands));
      return alone;
    });
    expect(seen).toEqual([['1'], ['2'], [], [], []]);
  });
});
