import { describe, expect, it } from 'vitest';
import { network, other } from './stage/connections.ts';
import { openVillage } from './stage/owners-stage.ts';
import { farmhand, freshSlot } from './stage/village.ts';

describe('with EnforceFarmhandOwnership=false', () => {
  it('the game decides, everything is shown, and the last who came is written down', async () => {
    await using stage = await openVillage({ slots: [farmhand('1', 'Ann'), freshSlot('2')] });
    const { village } = stage;
    stage.rule.enforced = false;
    for (const [connection, id] of [
      [network, '46265193014'],
      [other, '5'],
    ] as const) {
      expect(await village.shows(connection)).toEqual(['1', '2']);
      expect(await village.join(connection, '1')).toBe(true);
      await stage.calm();
      village.leave('1');
      await stage.calm();
      expect(stage.onDisk().farmhands['1']).toEqual({ owner: 'network', id, origin: 'claim' });
    }
    stage.rule.enforced = true;
    expect(await village.shows(network)).toEqual(['2']);
    expect(await village.shows(other)).toEqual(['1', '2']);
  });

  it('what an operator has decided stays', async () => {
    await using stage = await openVillage({ slots: [farmhand('1', 'Ann')] });
    await stage.ownership.rebind({ name: 'Ann' }, '46265193014');
    stage.rule.enforced = false;
    expect(await stage.village.join(other, '1')).toBe(true);
    await stage.calm();
    expect(stage.onDisk().farmhands['1']).toMatchObject({ id: '46265193014', origin: 'operator' });
  });
});
