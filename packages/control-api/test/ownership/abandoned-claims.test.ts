import { describe, expect, it } from 'vitest';
import { emptyMap } from '../../src/ownership/ownership-map.ts';
import { network, other, relay } from './stage/connections.ts';
import { openVillage } from './stage/owners-stage.ts';
import { farmhand, freshSlot } from './stage/village.ts';

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

  it.each([
    [
      'that the player has left',
      { kind: 'playerLeft', playerId: '1', playerName: '', connectionId: network },
    ],
    ['that the slot is abandoned', { kind: 'slotAbandoned', farmhandId: '1' }],
  ])('is cleared when the game tells by an event alone %s', async (_what, event) => {
    await using stage = await openVillage();
    const { village } = stage;
    await stage.ownership.questions.mayJoin({ connectionId: network, slot: freshSlot('1') });
    village.happens({ kind: 'playerJoined', playerId: '1', playerName: '', connectionId: network });
    await village.calm();
    expect(await village.shows(other)).toEqual(['2', '3', '4']);
    village.happens(event);
    await village.calm();
    expect(stage.onDisk().farmhands).toEqual({});
    expect(await village.shows(other)).toEqual(['1', '2', '3', '4']);
  });

  it.each([
    ['by an event', { kind: 'slotCustomized', farmhandId: '1', name: 'Ann' }, ''],
    ['by the name that its player had', { kind: 'slotCustomized', farmhandId: '2', name: 'Bob' }, 'Ann'],
  ])(
    'is none of a farmhand whose making the game has told %s and not shown yet',
    async (_how, made, name) => {
      await using stage = await openVillage();
      const { village } = stage;
      await stage.ownership.questions.mayJoin({ connectionId: network, slot: freshSlot('1') });
      const player = { playerId: '1', playerName: name, connectionId: network };
      village.happens({ kind: 'playerJoined', ...player }, made, { kind: 'playerLeft', ...player });
      await village.calm();
      expect(Object.keys(stage.onDisk().farmhands)).toEqual(['1']);
      Object.assign(village.slot('1'), { name: 'Ann', isCustomized: true });
      village.tell();
      await village.calm();
      expect(await village.shows(other)).toEqual(['2', '3', '4']);
    },
  );

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

  it('is none while its player is there, also where the game shows the slot as taken only when it is made', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    await village.join(network, '1', '46265193014');
    village.slot('1').isOnline = false;
    village.tell();
    stage.clock.advance(600_000);
    // Of a frozen game nothing is asked.
    village.tick();
    village.tell();
    await village.calm();
    expect(Object.keys(stage.onDisk().farmhands)).toEqual(['1']);
    expect(village.slot('1').stamp).toBe('46265193014');
    expect(await village.shows(other)).toEqual(['2', '3', '4']);
    village.leave('1');
    await village.calm();
    expect(stage.onDisk().farmhands).toEqual({});
  });

  it('is none of whoever is back before the game is done with their connection from before', async () => {
    await using stage = await openVillage();
    const { village } = stage;
    await village.join(relay, '1');
    await village.calm();
    const again = { connectionId: 'SN_76561198000000001_2', slot: freshSlot('1') };
    expect(await stage.ownership.questions.mayJoin(again)).toMatchObject({ decision: 'allow' });
    village.tell();
    await village.calm();
    village.leave('1');
    await village.calm();
    village.happens({ kind: 'slotAbandoned', farmhandId: '1' });
    await village.calm();
    expect(Object.keys(stage.onDisk().farmhands)).toEqual(['1']);
    expect(await village.shows(other)).toEqual(['2', '3', '4']);
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
    await village.moveIn(network, '1', 'Ann', '46265193014');
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
    await village.moveIn(network, '1', 'Ann', '46265193014');
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
    await village.moveIn(network, '1', 'Ann', '46265193014');
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
