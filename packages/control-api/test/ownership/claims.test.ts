import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { emptyMap } from '../../src/ownership/ownership-map.ts';
import { address, network, other, relay } from './stage/connections.ts';
import { openVillage } from './stage/owners-stage.ts';
import { farmhand, freshSlot } from './stage/village.ts';

type Stage = Awaited<ReturnType<typeof openVillage>>;

/** What the game is told; it lets nobody in by it yet. */
const asks = async (stage: Stage, connectionId: string, id = '1') =>
  (await stage.ownership.questions.mayJoin({ connectionId, slot: stage.village.slot(id) })).decision;

describe('a slot that somebody by address was let have', () => {
  it('goes to nobody who would be written down as its owner, though nothing is written of whoever was first', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    const both = [address, network].map((connection) => asks(stage, connection));
    expect(await Promise.all(both)).toEqual(['allow', 'refuse']);
    expect(await asks(stage, relay)).toBe('refuse');
    expect(await village.shows(network)).toEqual(['2', '3', '4']);
    // The game keeps two of them apart; neither could be called its owner.
    expect(await asks(stage, 'L_another')).toBe('allow');
    expect(await village.join(network, '2')).toBe(true);
  });

  it('is nobody else’s where the game shows it as taken before it shows by whom', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    expect(await asks(stage, address)).toBe('allow');
    village.slot('1').isOnline = true;
    village.tell({ farmhands: village.slots });
    await village.calm();
    expect(await asks(stage, network)).toBe('refuse');
    expect(await village.shows(network)).toEqual(['2', '3', '4']);
  });

  it('stays theirs while they make it, also where the game shows it as taken only when it is made', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    await village.join(address, '1');
    village.slot('1').isOnline = false;
    village.tell();
    stage.clock.advance(600_000);
    village.tell();
    await village.calm();
    expect(await asks(stage, network)).toBe('refuse');
    expect(await village.shows(network)).toEqual(['2', '3', '4']);
    village.customize('1', 'Shane');
    village.leave('1');
    await village.calm();
    expect(await asks(stage, network)).toBe('refuse');
    expect(await village.join('L_later', '1')).toBe(true);
  });

  const ends: readonly (readonly [string, (stage: Stage) => Promise<void>])[] = [
    [
      'they have not come for two minutes',
      async (stage) => {
        await asks(stage, address);
        expect(await asks(stage, network)).toBe('refuse');
        stage.clock.advance(120_000);
      },
    ],
    [
      'they have left without making it theirs',
      async (stage) => {
        await stage.village.join(address, '1');
        expect(await stage.village.shows(network)).toEqual(['2', '3', '4']);
        stage.village.leave('1');
        await stage.village.calm();
      },
    ],
  ];
  it.each(ends)('is for everybody again once %s', async (_what, happens) => {
    await using stage = await openVillage();
    await happens(stage);
    expect(await stage.village.shows(network)).toEqual(['1', '2', '3', '4']);
    expect(await stage.village.join(network, '1')).toBe(true);
  });
});

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

  it.each([
    ['as taken', true],
    ['as taken only when it is made', false],
  ])('stays of whoever makes it, and is not released meanwhile: shown %s', async (_how, isShown) => {
    await using stage = await openVillage();
    const { village } = stage;
    expect(await village.join(network, '1')).toBe(true);
    village.slot('1').isOnline = isShown;
    village.tell();
    await village.calm();
    expect(await stage.ownership.release({ playerId: '1' })).toMatchObject({
      operation: { state: 'refused', outcome: { code: 'online' } },
    });
    village.customize('1', 'Ann');
    village.leave('1');
    await village.calm();
    expect(await village.join(address, '1')).toBe(false);
    expect(await village.join(network, '1')).toBe(true);
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

describe('a released farmhand that somebody took by address', () => {
  const stamp = '46265193014';
  const owned = { '1': { owner: 'network', id: stamp, origin: 'claim' } } as const;
  const slots = [farmhand('1', 'Ann', stamp), freshSlot('2')];
  const content = { ...emptyMap, farmhands: owned };

  const takenByAddress = async (capabilities: readonly string[]) => {
    const stage = await openVillage({ slots, content, capabilities });
    await stage.ownership.release({ playerId: '1' });
    expect(await stage.village.join(address, '1')).toBe(true);
    stage.village.leave('1');
    await stage.calm();
    return stage;
  };

  it.each([
    ['clears stamps', ['clearStamp']],
    ['clears none', []],
  ])('stays theirs when the stamp from before is back, in a game that %s', async (_what, capabilities) => {
    await using stage = await takenByAddress(capabilities);
    const { village } = stage;
    // The save from before the release.
    await stage.crash();
    await stage.restart();
    expect(await village.shows(network)).toEqual(['2']);
    expect(await village.join(network, '1', stamp)).toBe(false);
    expect(await village.join('L_later', '1')).toBe(true);
    expect(stage.onDisk().farmhands).toEqual({});
  });

  it('loses that stamp again', async () => {
    await using stage = await takenByAddress(['clearStamp']);
    await stage.crash();
    await stage.calm();
    expect(stage.village.slot('1').stamp).toBeUndefined();
  });

  it('is written down no longer once it has an owner, or is gone', async () => {
    await using stage = await takenByAddress(['clearStamp']);
    expect(stage.onDisk().unstamped).toEqual(['1']);
    await stage.ownership.rebind({ playerId: '1' }, '5');
    expect(stage.onDisk().unstamped).toBeUndefined();
    await stage.ownership.release({ playerId: '1' });
    await stage.village.join(address, '1');
    stage.village.leave('1');
    await stage.calm();
    expect(stage.onDisk().unstamped).toEqual(['1']);
    stage.village.remove('1');
    await stage.calm();
    stage.village.save();
    await stage.calm();
    expect(stage.onDisk().unstamped).toBeUndefined();
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
