import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { emptyMap } from '../../src/ownership/ownership-map.ts';
import { address, network, other, relay } from './stage/connections.ts';
import { openVillage } from './stage/owners-stage.ts';
import { farmhand, freshSlot } from './stage/village.ts';

describe('a map that cannot be read', () => {
  const slots = [
    farmhand('1', 'Ann', '46265193014'),
    farmhand('2', 'Bob', '5'),
    farmhand('3', 'Shane'),
    freshSlot('4'),
  ];

  it('is kept aside, and nobody gets a farmhand that might be another’s', async () => {
    await using stage = await openVillage({ slots, content: '{"version":1,"farm' });
    const { village } = stage;
    const aside = readdirSync(stage.directory).find((name) => name.includes('.corrupt-'));
    expect(readFileSync(`${stage.directory}/${aside}`, 'utf8')).toBe('{"version":1,"farm');
    expect(await village.shows(relay)).toEqual(['4']);
    expect(await village.shows(address)).toEqual(['4']);
    // The stamp is a network id, and the network vouches for whose connection it is.
    expect(await village.shows(network)).toEqual(['1', '4']);
    expect(await village.join(relay, '1', '46265193014')).toBe(false);
    expect(await village.join(address, '3')).toBe(false);
    expect(stage.ownership.view.problems).toMatchObject([{ code: 'ownership-incomplete' }]);
    expect(stage.lines.join('\n')).toContain(`kept as ${aside}`);
  });

  it('is left alone while the farm is loading: who shows up later is no stranger’s either', async () => {
    await using stage = await openVillage({ slots: [], content: '{"version":1,"farm' });
    const { village } = stage;
    for (const isOnline of [false, true]) {
      village.isOnline = isOnline;
      village.tell();
      expect(await village.shows(address)).toEqual([]);
      expect(stage.ownership.view.problems).toMatchObject([{ code: 'ownership-unreadable' }]);
      expect(readdirSync(stage.directory)).toEqual(['farmhand-ownership.json']);
      expect(readFileSync(stage.path, 'utf8')).toBe('{"version":1,"farm');
    }
    village.slots = structuredClone(slots);
    village.isOnline = false;
    village.tell();
    expect(await village.shows(address)).toEqual([]);
    village.isOnline = true;
    village.tell();
    expect(await village.join(address, '3')).toBe(false);
    expect(await village.shows(address)).toEqual(['4']);
    expect(stage.onDisk().doubts?.farmhands).toEqual(['1', '2', '3']);
    expect(stage.ownership.view.problems).toMatchObject([{ code: 'ownership-incomplete' }]);
  });

  it('is left alone until the farmhands are those of its own farm', async () => {
    await using stage = await openVillage({ slots: [farmhand('9', 'Zoe')] });
    const { village } = stage;
    const path = stage.leave('Hill_2', 'garbage');
    village.farmId = 'Hill_2';
    village.slots = structuredClone(slots);
    village.tell({ farm: village.state.farm });
    expect(await village.shows(address)).toEqual([]);
    // What else was told was of the other farm, which was loaded to its end.
    village.tell({ farmhands: village.slots });
    expect(await village.shows(address)).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe('garbage');
    village.tell();
    expect(await village.shows(address)).toEqual(['4']);
    expect(await village.join(address, '3')).toBe(false);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ doubts: { farmhands: ['1', '2', '3'] } });
  });

  it('stays so over restarts, and is whole again once somebody has decided about each', async () => {
    await using stage = await openVillage({ slots, content: 'garbage' });
    await stage.restart();
    expect(await stage.village.shows(address)).toEqual(['4']);
    expect(await stage.village.join(network, '1', '46265193014')).toBe(true);
    await stage.ownership.rebind({ name: 'bob' }, '76561198000000001');
    expect(stage.ownership.view.problems).toMatchObject([{ code: 'ownership-incomplete' }]);
    await stage.ownership.release({ playerId: '3' });
    expect(stage.ownership.view.problems).toEqual([]);
    await stage.restart();
    expect(stage.ownership.view.problems).toEqual([]);
    expect(await stage.village.shows(relay)).toEqual(['2', '3', '4']);
  });

  it('because a newer version wrote it is left alone, and nobody is let in until it can be read', async () => {
    const content = '{"version":2,"farmhands":{}}';
    await using stage = await openVillage({ slots, content });
    const { village } = stage;
    expect(await village.shows(network)).toEqual([]);
    expect(await village.join(network, '4', '46265193014')).toBe(false);
    const refusal = await stage.ownership.rebind({ name: 'ann' }, '5');
    expect(refusal).toMatchObject({ operation: { state: 'refused', outcome: { code: 'failed' } } });
    expect(readdirSync(stage.directory)).toEqual(['farmhand-ownership.json']);
    expect(readFileSync(stage.path, 'utf8')).toBe(content);
    expect(stage.ownership.view.problems).toMatchObject([{ code: 'ownership-unreadable' }]);
    writeFileSync(stage.path, JSON.stringify(emptyMap));
    expect(await village.shows(address)).toEqual(['3', '4']);
    expect(stage.ownership.view.problems).toEqual([]);
  });

  it('keeps nobody out where ownership is not enforced', async () => {
    await using stage = await openVillage({ slots, content: '{"version":2}' });
    stage.rule.enforced = false;
    expect(await stage.village.shows(other)).toEqual(['1', '2', '3', '4']);
    expect(await stage.village.join(other, '4', '5')).toBe(true);
  });
});
