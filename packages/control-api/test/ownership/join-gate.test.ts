import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type FileSteps, fileSteps } from '@steward/service-kit/files/replace-file';
import { describe, expect, it } from 'vitest';
import { emptyMap } from '../../src/ownership/ownership-map.ts';
import { openVillage } from './stage/owners-stage.ts';
import { farmhand, freshSlot } from './stage/village.ts';

const relay = 'SN_76561198000000001_1';
const network = 'GN_46265193014';
const other = 'GN_5';
const address = 'L_7f21';

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
    await village.join(relay, '1', '46265193014');
    village.customize('1', 'Ann');
    village.leave('1');
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
    await village.join(address, '1');
    village.customize('1', 'Shane');
    village.leave('1');
    await village.calm();
    expect(() => readFileSync(stage.path)).toThrow();
    expect(await village.join(network, '1', '46265193014')).toBe(false);
    expect(await village.join('L_another', '1')).toBe(true);
  });
});

describe('an abandoned claim', () => {
  it('is cleared when its player leaves in the middle of creation, and anybody can have the slot', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    await village.join(network, '1', '46265193014');
    await village.calm();
    village.leave('1');
    await village.calm();
    expect(stage.onDisk().farmhands).toEqual({});
    expect(await village.join(other, '1', '5')).toBe(true);
  });

  it('is cleared when it is found, and its stamp with it', async () => {
    const record = { owner: 'network', id: '5', origin: 'claim' } as const;
    const slots = [{ ...freshSlot('1'), stamp: '5' }, farmhand('2', 'Ann'), freshSlot('3')];
    const farmhands = { '1': record, '2': record, '3': { ...record, origin: 'operator' } as const };
    await using stage = await openVillage({ slots, content: { ...emptyMap, farmhands } });
    await stage.village.calm();
    expect(Object.keys(stage.onDisk().farmhands)).toEqual(['2', '3']);
    expect(stage.village.slot('1').stamp).toBeUndefined();
  });

  it('is none while its player may still be on the way, and is given up after two minutes', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    const question = { connectionId: network, slot: freshSlot('1') };
    expect(await stage.ownership.questions.mayJoin(question)).toMatchObject({ decision: 'allow' });
    village.tell();
    await village.calm();
    expect(Object.keys(stage.onDisk().farmhands)).toEqual(['1']);
    stage.clock.advance(120_000);
    village.tell();
    await village.calm();
    expect(stage.onDisk().farmhands).toEqual({});
  });

  it('is cleared when its player was approved for another slot', async () => {
    await using stage = await openVillage();
    const { mayJoin } = stage.ownership.questions;
    await mayJoin({ connectionId: network, slot: freshSlot('1') });
    await stage.village.join(network, '2', '46265193014');
    await stage.village.calm();
    expect(Object.keys(stage.onDisk().farmhands)).toEqual(['2']);
  });
});

describe('a save that goes back', () => {
  it('clears the claims of those who were not customised in it, and keeps every other record', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    await village.join(network, '1', '46265193014');
    village.customize('1', 'Ann');
    village.leave('1');
    village.save();
    await village.join(other, '2', '5');
    village.customize('2', 'Bob');
    await stage.crash();
    expect(Object.keys(stage.onDisk().farmhands)).toEqual(['1']);
    expect(await village.join(relay, '2')).toBe(true);
  });

  it('keeps the record of a farmhand that is gone until a save was made without it', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    await village.join(network, '1', '46265193014');
    village.customize('1', 'Ann');
    village.leave('1');
    village.save();
    await village.calm();
    village.remove('1');
    await village.calm();
    expect(Object.keys(stage.onDisk().farmhands)).toEqual(['1']);
    await stage.crash();
    expect(await village.shows(other)).toEqual(['2', '3', '4']);
    village.remove('1');
    village.save();
    await village.calm();
    expect(stage.onDisk().farmhands).toEqual({});
  });

  it('drops nothing while the farm shows no slots, or not all of its state', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    await village.join(network, '1', '46265193014');
    village.customize('1', 'Ann');
    village.leave('1');
    const { slots } = village;
    for (let save = 0; save < 3; save += 1) {
      village.slots = [];
      village.save();
      await village.calm();
    }
    village.slots = slots;
    expect(Object.keys(stage.onDisk().farmhands)).toEqual(['1']);
  });
});

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

describe('a disk that is full', () => {
  function fullDisk(): FileSteps & { full: boolean } {
    return {
      ...fileSteps,
      full: false,
      async write(file, text) {
        if (this.full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        await fileSteps.write(file, text);
      },
    };
  }

  it('lets owners in and those by address, and nobody whose claim could not be kept; then all is well again', async () => {
    const steps = fullDisk();
    await using stage = await openVillage({ steps });
    const { village } = stage;
    await village.join(network, '1', '46265193014');
    village.customize('1', 'Ann');
    village.leave('1');
    steps.full = true;
    expect(await village.join(other, '2', '5')).toBe(false);
    expect(stage.ownership.view.problems).toMatchObject([{ code: 'ownership-unwritable' }]);
    expect(await village.join(network, '1', '46265193014')).toBe(true);
    expect(await village.join(address, '3')).toBe(true);
    expect(await stage.ownership.release({ name: 'Ann' })).toMatchObject({
      operation: { state: 'refused', outcome: { code: 'failed' } },
    });
    expect(readdirSync(stage.directory)).toEqual(['farmhand-ownership.json']);
    steps.full = false;
    stage.clock.advance(5_000);
    village.tell();
    await village.calm();
    expect(stage.ownership.view.problems).toEqual([]);
    expect(await village.join(other, '2', '5')).toBe(true);
  });
});

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

it('writes down who came while the service was away', async () => {
  await using stage = await openVillage();
  const { village } = stage;
  village.slot('1').isOnline = true;
  village.online.set('1', network);
  await stage.restart();
  expect(stage.onDisk().farmhands['1']).toMatchObject({ owner: 'network', id: '46265193014' });
});

describe('the log', () => {
  it('tells of each try to join once, with the id that a rebind asks for', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    const told = () => stage.lines.filter((line) => line.startsWith('Client connected via network'));
    await village.shows(network);
    await village.shows(network);
    await village.join(network, '1', '46265193014');
    expect(told()).toEqual(['Client connected via network-p2p (network id 46265193014)']);
    village.leave('1');
    await village.shows(network);
    expect(told()).toHaveLength(2);
    stage.clock.advance(120_001);
    await village.shows(network);
    expect(told()).toHaveLength(3);
  });

  it.each([
    [network, '1', 'belongs to another identity', 'rebind?playerId=1&identity=46265193014'],
    [address, '1', 'belongs to another identity', 'release?playerId=1'],
    [relay, '2', 'is for those alone', 'release?playerId=2'],
    [relay, '3', 'stamp on it is somebody else’s', 'rebind?playerId=3&identity=76561198000000001'],
    [address, '3', 'has no identity', 'release?playerId=3'],
  ])('gives the operator a line to paste for %s on %s', async (connection, id, says, path) => {
    const slots = [farmhand('1', 'Ann'), farmhand('2', 'Shane'), farmhand('3', 'Bob', '7')];
    const farmhands = { '1': { owner: 'network', id: '5', origin: 'claim' } as const };
    await using stage = await openVillage({ slots, content: { ...emptyMap, farmhands } });
    expect(await stage.village.join(connection, id)).toBe(false);
    const line = stage.lines.find((each) => each.startsWith('Refused farmhand'));
    expect(line).toContain(says);
    expect(line).toContain(
      `curl -X POST "http://127.0.0.1:8080/farmhands/${path}" -H "Authorization: Bearer $API_KEY"`,
    );
  });
});
