import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { protocolVersion } from '@steward/shared/bridge/protocol';
import { expect, it } from 'vitest';
import type { Bench } from './bench.ts';
import { NotChecked, usualPatience } from './patience.ts';
import { Stand } from './stand.ts';

/** With a game that has said hello at its title screen, and stays there. */
function withoutFarm(): Bench {
  const input = new PassThrough();
  const params = { protocol: protocolVersion, game: { name: 'Title', version: '1.0.0' }, capabilities: [] };
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: '1', method: 'hello', params })}\n`);
  return {
    mode: 'listen',
    where: 'here',
    secret: undefined,
    next: async () => ({ input, output: new PassThrough(), end: () => {}, strayLines: false }),
    drop: async () => {},
    exits: async () => undefined,
    endInput: () => {},
    close: async () => {},
  };
}

it('calls what needs a farm not checked where none is loaded, and waits for one once on a connection', async () => {
  const stand = new Stand(withoutFarm(), { ...usualPatience, startsMs: 20 });
  await expect(stand.farm()).rejects.toBeInstanceOf(NotChecked);
  const again = stand.farm().catch(String);
  expect(await Promise.race([again, setImmediate('still waiting')])).toBe('Error: no farm is loaded');
});
