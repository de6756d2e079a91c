import { fileSteps } from '@steward/service-kit/files/replace-file';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { topicOf } from '@steward/shared/events/event-types';
import { shownEvent } from '@steward/shared/events/shown-event';
import { describe, expect, it } from 'vitest';
import { emptyMap } from '../../src/ownership/ownership-map.ts';
import { address, network, relay } from './stage/connections.ts';
import { openVillage } from './stage/owners-stage.ts';
import { farmhand, freshSlot } from './stage/village.ts';

type Stage = Awaited<ReturnType<typeof openVillage>>;

const networkId = { space: 'network', id: '46265193014' } as const;
const relayId = { space: 'platform', id: '76561198000000001' } as const;

/** What is told from now on of who is kept out, and of whose farmhands are. */
function told({ bridge }: Pick<Stage, 'bridge'>): StewardEvent[] {
  const events: StewardEvent[] = [];
  const types = ['players.refused', 'farmhands.bound', 'farmhands.released'];
  bridge.events.follow(({ event }) => types.includes(event.type) && events.push(event));
  return events;
}

const owned = { '1': { owner: 'network', id: '5', origin: 'claim' } } as const;
const slots = [farmhand('1', 'Ann'), farmhand('2', 'Shane'), farmhand('3', 'Bob', '7'), freshSlot('4')];
const content = { ...emptyMap, farmhands: owned };

describe('who is kept out', () => {
  it.each([
    [
      'by an owner',
      network,
      '1',
      {
        playerName: 'Ann',
        door: 'network-p2p',
        reason: 'it belongs to another identity',
        remedy:
          'Only if you are sure that it is the same player, because this takes it from its owner: POST /farmhands/rebind with this playerId and the identity of the refused player',
        identity: networkId,
      },
    ],
    [
      'by an owner, at an address',
      address,
      '1',
      {
        playerName: 'Ann',
        door: 'direct-ip',
        reason: 'it belongs to another identity',
        remedy:
          'This takes it from its owner and makes it free for the next player: POST /farmhands/release with this playerId',
      },
    ],
    [
      'by a stamp',
      relay,
      '3',
      {
        playerName: 'Bob',
        door: 'platform-relay',
        remedy: expect.stringContaining('takes it from the player whose network id it carries: POST'),
        identity: relayId,
      },
    ],
    ['by an id that nobody can read', 'GN_x', '4', { playerName: '', door: 'network-p2p' }],
  ])('%s is told with the door and how to fix it', async (_, connection, id, data) => {
    await using stage = await openVillage({ slots, content });
    const events = told(stage);
    expect(await stage.village.join(connection, id)).toBe(false);
    expect(events).toMatchObject([{ type: 'players.refused', data: { playerId: id, ...data } }]);
    expect(events.every(({ data }) => 'identity' in data)).toBe('identity' in data);
    const [refused] = events;
    if (refused === undefined) return;
    const forReaders = JSON.stringify(
      shownEvent(refused, { at: stage.clock.date(), cursor: 'e-1' }, false),
      (_key, value) => (typeof value === 'bigint' ? String(value) : value),
    );
    for (const secret of [networkId.id, relayId.id, '"7"', '"5"']) expect(forReaders).not.toContain(secret);
  });

  it('is told once a try, however often it asks, and no more in a minute than anybody can read', async () => {
    await using stage = await openVillage({ slots, content });
    const { village, clock } = stage;
    const events = told(stage);
    for (let times = 0; times < 5; times += 1) {
      await village.join(network, '1');
      await village.shows(network);
      clock.advance(60_000);
      village.tell();
    }
    expect(events).toHaveLength(1);
    await village.join(network, '2');
    expect(events).toHaveLength(2);
    clock.advance(120_001);
    await village.join(network, '1');
    expect(events).toHaveLength(3);
    for (let each = 0; each < 200; each += 1) await village.join(`L_${each}`, '1');
    expect(events.length).toBeLessThanOrEqual(62);
    clock.advance(60_001);
    await village.join('L_1000', '1');
    expect(events.at(-1)).toMatchObject({ data: { door: 'direct-ip' } });
    expect(stage.lines.filter((line) => line.startsWith('Refused farmhand')).length).toBeGreaterThan(200);
  });
});

describe('whose a farmhand is', () => {
  it('is told when a claim is written, an operator decides, and a claim comes to nothing; never at a start', async () => {
    await using stage = await openVillage({ slots: [farmhand('1', 'Ann'), freshSlot('4')] });
    const { village } = stage;
    const events = told(stage);
    expect(await village.join(network, '4')).toBe(true);
    await stage.calm();
    village.customize('4', 'Nia');
    village.leave('4');
    await stage.calm();
    await stage.ownership.rebind({ playerId: '4' }, relayId.id);
    await stage.ownership.release({ playerId: '4' });
    await stage.ownership.release({ playerId: '4' });
    expect(await village.join(relay, '4')).toBe(true);
    village.leave('4');
    await stage.calm();
    const nia = { playerId: '4', playerName: 'Nia' };
    expect(events).toEqual([
      {
        type: 'farmhands.bound',
        data: { playerId: '4', playerName: '', door: 'network', origin: 'claim', identity: networkId },
      },
      {
        type: 'farmhands.bound',
        data: { ...nia, door: 'platform', origin: 'operator', identity: relayId },
      },
      { type: 'farmhands.released', data: nia },
      { type: 'farmhands.bound', data: { ...nia, door: 'platform', origin: 'claim', identity: relayId } },
    ]);
    const before = stage.bridge.events.head;
    await stage.restart();
    await stage.calm();
    const { events: log } = await stage.bridge.events.after({ epoch: before.split('-')[0] ?? '', number: 0 });
    expect(log.filter(({ event }) => topicOf(event.type) === 'farmhands')).toEqual([]);
  });

  it('is released where a claim is given up, and not where the farmhand is gone', async () => {
    await using stage = await openVillage({ slots: [farmhand('1', 'Ann'), freshSlot('4')], content });
    const { village } = stage;
    const events = told(stage);
    await village.join(network, '4');
    await stage.calm();
    village.leave('4');
    await stage.calm();
    village.remove('1');
    village.save();
    village.save();
    await stage.calm();
    expect(stage.onDisk().farmhands).toEqual({});
    expect(events.map(({ type }) => type)).toEqual(['farmhands.bound', 'farmhands.released']);
    expect(events[1]?.data).toEqual({ playerId: '4', playerName: '' });
  });

  it('is told by whoever comes where nothing is enforced, once it is on the disk', async () => {
    let isFull = false;
    const steps = {
      ...fileSteps,
      write: async (...given: Parameters<typeof fileSteps.write>) => {
        if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        return fileSteps.write(...given);
      },
    };
    await using stage = await openVillage({ slots: [farmhand('1', 'Ann')], steps });
    stage.rule.enforced = false;
    const events = told(stage);
    isFull = true;
    await stage.village.join(network, '1');
    await stage.calm();
    expect(events).toEqual([]);
    isFull = false;
    stage.clock.advance(5_000);
    stage.village.tell();
    await stage.calm();
    expect(events).toMatchObject([{ type: 'farmhands.bound', data: { playerName: 'Ann', origin: 'claim' } }]);
  });
});
