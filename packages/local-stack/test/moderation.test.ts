import { eventually } from '@steward/testing/eventually';
import { expect, it } from 'vitest';
import { farmProcesses } from './stage/farm-processes.ts';

const limitMs = 120_000;

const onFarm = / is on the farm as farmhand (\S+), over (\S+)/;

it(
  'who is banned is turned away by each door with the reason, and who was sent away comes back',
  async () => {
    await using system = await farmProcesses();
    await system.open();
    const linked = async () => (await system.farm.getStatus()).steamInviteCode;
    await eventually(linked, { missing: () => 'friends never had a way in' });
    /** Shown by its name, too. */
    const online = (id: string) =>
      eventually(
        async () =>
          (await system.farm.listPlayers()).players.find(
            (player) => player.idStr === id && player.name !== '',
          ),
        { missing: () => `${id} was never shown as online` },
      );
    const people = [
      { name: 'Abigail', order: ['Abigail', '--client', 'stock', '--friends'], door: /^SN_/ },
      { name: 'Sam', order: ['Sam', '--client', 'test'], door: /^GN_/ },
      { name: 'Shane', order: ['Shane', '--ip', '--from', '198.51.100.7'], door: /^L_/ },
    ];
    for (const { name, order, door } of people) {
      const [, id = '', connection = ''] = onFarm.exec(await system.order('join', ...order)) ?? [];
      expect(connection, name).toMatch(door);
      await online(id);
      expect(await system.farm.kickPlayer({ name, reason: 'Take a break' })).toMatchObject({
        success: true,
        playerIdStr: id,
        playerName: name,
      });
      expect(await system.order('join', ...order), name).toContain(`farmhand ${id}`);
      await online(id);

      const whom = name === 'Shane' ? { address: '198.51.100.0/24' } : { name };
      expect(await system.farm.addBan({ ...whom, reason: 'Griefing' })).toMatchObject({
        kicked: [{ playerIdStr: id }],
        stillOnline: [],
      });
      const turnedAway = `${name} was refused: You are banned from this farm: Griefing`;
      expect(await system.order('join', ...order)).toContain(turnedAway);
      await system.stopApi('SIGKILL');
      await system.startApi();
      await system.open();
      if (name === 'Abigail') await eventually(linked, { missing: () => 'friends have no way in any more' });
      expect(await system.order('join', ...order)).toContain(turnedAway);
      await system.farm.removeBan(whom);
      expect(await system.order('join', ...order), name).toContain(`farmhand ${id}`);
      await system.order('leave', name);
    }

    await system.farm.allowPlayer({ name: 'Sam' });
    const [, sam] = people;
    expect(await system.order('join', ...(sam?.order ?? []))).toMatch(onFarm);
    expect(await system.order('join', 'Leah', '--client', 'test')).toContain(
      'refused: Only players on this farm’s list can join',
    );
  },
  limitMs,
);
