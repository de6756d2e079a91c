import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { address, network, other, relay } from './stage/connections.ts';
import { openVillage } from './stage/owners-stage.ts';

describe('a claim', () => {
  it('is on the disk before the game hears of its approval', async () => {
    await using stage = await openVillage();
    await stage.village.join(network, '1', '46265193014');
    expect(stage.onDisk().farmhands).toEqual({
      '1': { owner: 'network', id: '46265193014', origin: 'claim' },
    });
  });

  it('is the connection’s, whatever the client declares', async () => {
    await using stage = await openVillage();
    await stage.village.join(relay, '1', '46265193014');
    expect(stage.onDisk().farmhands['1']).toMatchObject({ owner: 'platform', id: '76561198000000001' });
  });

  it('lets its owner back in by the same door, and nobody else', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    await village.moveIn(relay, '1', 'Ann', '46265193014');
    for (const connection of [network, other, address]) {
      expect(await village.join(connection, '1', '46265193014')).toBe(false);
      expect(await village.shows(connection)).toEqual(['2', '3', '4']);
    }
    expect(await village.join('SN_76561198000000001_99', '1')).toBe(true);
  });

  it('goes to one of two who ask at the same time', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    const joined = await Promise.all([
      village.join(network, '1', '46265193014'),
      village.join(other, '1', '5'),
    ]);
    expect(joined).toEqual([true, false]);
  });

  it('of nobody’s slot by address is not written down, and the farmhand is for all who come by address', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    await village.moveIn(address, '1', 'Shane');
    await village.calm();
    expect(() => readFileSync(stage.path)).toThrow();
    expect(await village.join(network, '1', '46265193014')).toBe(false);
    expect(await village.join('L_another', '1')).toBe(true);
  });
});

it('writes down who came while the service was away', async () => {
  await using stage = await openVillage();
  const { village } = stage;
  village.slot('1').isOnline = true;
  village.online.set('1', network);
  await stage.restart();
  expect(stage.onDisk().farmhands['1']).toMatchObject({ owner: 'network', id: '46265193014' });
});
