import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { emptyMap } from '../../src/ownership/ownership-map.ts';
import { address, network, relay } from './stage/connections.ts';
import { openVillage } from './stage/owners-stage.ts';
import { farmhand } from './stage/village.ts';

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
    [
      network,
      '1',
      'belongs to another identity',
      'its owner (network id 5)',
      'rebind?playerId=1&identity=46265193014',
    ],
    [address, '1', 'belongs to another identity', 'its owner (network id 5)', 'release?playerId=1'],
    [relay, '2', 'is only for players who connect by IP', 'players who connect by IP', 'release?playerId=2'],
    [
      relay,
      '3',
      'carries somebody else’s network id',
      'network id it carries (network id 7)',
      'rebind?playerId=3&identity=76561198000000001',
    ],
    [address, '3', 'have none', 'network id it carries (network id 7)', 'release?playerId=3'],
  ])(
    'gives the operator a line to paste for %s on %s, and says whom it takes the farmhand from',
    async (connection, id, says, loser, path) => {
      const slots = [farmhand('1', 'Ann'), farmhand('2', 'Shane'), farmhand('3', 'Bob', '7')];
      const farmhands = { '1': { owner: 'network', id: '5', origin: 'claim' } as const };
      await using stage = await openVillage({ slots, content: { ...emptyMap, farmhands } });
      expect(await stage.village.join(connection, id)).toBe(false);
      const line = stage.lines.find((each) => each.startsWith('Refused farmhand'));
      expect(line).toContain(says);
      expect(line).toContain(`takes it from`);
      expect(line).toContain(loser);
      expect(pasted(line)).toEqual([
        '-X',
        'POST',
        `http://[::1]:8102/farmhands/${path}`,
        '-H',
        'Authorization: Bearer two words',
      ]);
    },
  );
});

/** What curl is told by the command that an operator copies from this line out of a log in JSON. */
function pasted(line: string | undefined): string[] {
  const [, command = ''] = /: (\(.*\))"}$/.exec(JSON.stringify({ msg: line })) ?? [];
  const typed = `curl() { printf '%s\\n' "$@"; }; ${command}`;
  const env = { ...process.env, API: 'http://[::1]:8102', API_KEY: 'two words' };
  return execFileSync('sh', ['-c', typed], { encoding: 'utf8', env }).trimEnd().split('\n');
}
