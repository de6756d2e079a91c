import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Changes } from '@steward/testing/changes';
import { eventually } from '@steward/testing/eventually';
import { count, seed } from '@steward/testing/scale';
import { expect, it } from 'vitest';
import { farmProcesses, key } from './stage/farm-processes.ts';

const run = promisify(execFile);
const limitMs = 120_000;

const onFarm = / is on the farm as farmhand (\S+), over (\S+)/;

function mapFile(state: string): string {
  const [farmId = ''] = readdirSync(join(state, 'farms'));
  return join(state, 'farms', farmId, 'farmhand-ownership.json');
}

it(
  'a player claims, leaves, returns by the same door; another is refused, rebound with the line from the log, and gets in',
  async () => {
    await using system = await farmProcesses();
    await system.open();
    const [, id = '', connection] = onFarm.exec(await system.order('join', 'Sam', '--client', 'test')) ?? [];
    expect(connection).toMatch(/^GN_\d+$/);
    expect(await system.farmhand('Sam')).toMatchObject({
      idStr: id,
      owned: true,
      door: 'network',
      origin: 'claim',
    });
    await system.order('leave', 'Sam');
    expect(await system.order('join', 'Sam', '--client', 'test')).toContain(
      `farmhand ${id}, over ${connection}`,
    );
    await system.order('leave', 'Sam');

    for (const stranger of [
      ['Leah', '--client', 'test'],
      ['Shane', '--ip'],
    ])
      expect(await system.order('join', ...stranger, '--farmhand', id)).toContain(' left: ');
    const samsId = connection?.slice('GN_'.length);
    await system.api.line(new RegExp(`Client connected via network-p2p \\(network id ${samsId}\\)`));
    await system.api.line(/Client connected via direct-ip \(address [0-9.]+\)"/);
    // As whoever watches the log copies it: out of a line of JSON that nobody has decoded.
    const [, remedy = ''] = await system.api.line(/Refused farmhand Sam .*: (\(.*rebind.*\))"}$/);
    const env = { ...process.env, API: system.url, API_KEY: key };
    const { stdout } = await run('sh', ['-c', remedy], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      playerIdStr: id,
      before: { door: 'network', origin: 'claim' },
      after: { door: 'network', origin: 'operator' },
    });

    const leahs = await system.order('join', 'Leah', '--client', 'test', '--farmhand', id);
    expect(leahs).toContain(`farmhand ${id}, over GN_`);
    await system.order('leave', 'Leah');
    expect(await system.order('join', 'Sam', '--client', 'test', '--farmhand', id)).toContain(' left: ');

    await system.stopApi('SIGKILL');
    await system.startApi();
    await system.open();
    expect(await system.order('join', 'Sam', '--client', 'test', '--farmhand', id)).toContain(' left: ');
    expect(await system.order('join', 'Leah', '--client', 'test', '--farmhand', id)).toContain(
      `farmhand ${id}`,
    );
    await system.order('leave', 'Leah');

    await system.stopApi('SIGTERM');
    const map = mapFile(system.state);
    writeFileSync(map, readFileSync(map, 'utf8').slice(0, 100));
    await system.startApi();
    await system.api.line(/kept as farmhand-ownership\.json\.corrupt-/);
    expect(await system.farm.getStatus()).toMatchObject({ obstacles: [{ code: 'ownership-incomplete' }] });
    await system.open();
    expect(await system.order('join', 'Sam', '--client', 'test', '--farmhand', id)).toContain(' left: ');
    // Her stamp is on it, and the network vouches for her.
    expect(await system.order('join', 'Leah', '--client', 'test', '--farmhand', id)).toContain(
      `farmhand ${id}`,
    );
    expect(await system.farm.getStatus()).toMatchObject({ obstacles: [] });
  },
  limitMs,
);

it(
  'loses no claim that let a player in, whenever the service is killed',
  async ({ annotate }) => {
    const kills = count({ small: 5, long: 200 });
    await using system = await farmProcesses();
    await system.open();
    const owners = new Map<string, string>();
    const joined = new Changes();
    let joins = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const names = Array.from({ length: 4 }, (_, index) => `Player ${kill * 4 + index}`);
      const joining = names.map(async (name) => {
        const [, id, connection] = onFarm.exec(await system.order('join', name, '--client', 'test')) ?? [];
        if (id !== undefined && connection !== undefined) owners.set(id, connection);
        joined.told();
      });
      // Somewhere in the middle of it: players choose for up to forty milliseconds at this pace.
      const claims = (seed + kill * 7) % 5;
      await joined.until(() => owners.size - joins >= Math.min(claims, names.length) || undefined, {
        missing: () => `${owners.size - joins} of ${claims} players got in`,
      });
      await system.stopApi('SIGKILL');
      await Promise.all(joining);
      const map =
        owners.size === 0 ? { farmhands: {} } : JSON.parse(readFileSync(mapFile(system.state), 'utf8'));
      for (const [id, connection] of owners)
        expect(map.farmhands[id], `kill ${kill + 1}`).toMatchObject({
          owner: 'network',
          id: connection.slice(3),
        });
      joins = owners.size;
      await system.startApi();
      await system.open();
      for (const [id] of owners)
        await eventually(
          async () =>
            (await system.farmhands()).find(({ idStr, isCustomized }) => idStr === id && isCustomized),
          { missing: () => `farmhand ${id} was never made` },
        );
      for (const name of names) await system.order('leave', name).catch(() => {});
    }
    expect(joins).toBeGreaterThan(kills);
    await annotate(`${kills} kills, ${joins} joins, seed ${seed}`);
  },
  count({ small: limitMs, long: 3_600_000 }),
);
