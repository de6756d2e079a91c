import { Program } from '@steward/testing/program';
import { expect, it } from 'vitest';
import { buildGame } from '../src/depot/game/build-game.ts';
import { gameApp, testPlatform } from './clients/test-platform.ts';

const complaint = /Error.*(bad decrypt|wrong final block length|checksum|CRC32|invalid .* data)/i;

const depots = buildGame({ seed: 'damage', bytes: 300_000, format: 'zip' });

// In a process of its own: the library throws where nobody can catch it when a chunk does not decrypt.
it.each(['wrong-bytes', 'truncated', 'corrupt'] as const)(
  'a client cannot use chunks: %s',
  async (damage) => {
    const platform = await testPlatform({
      apps: [{ appId: gameApp, name: 'Farm Game', depots: [{ depot: depots.linux }] }],
    });
    platform.faults.add({ when: { kind: 'chunk' }, fault: { damage } });
    await using client = new Program('packages/platform-emulator/test/programs/client.mjs', [], {
      PROXY: platform.proxyUrl,
      NODE_EXTRA_CA_CERTS: platform.caFile,
      TICKET_KEY: platform.ticketKey.toString('hex'),
      ACCOUNT: 'host',
      PASSWORD: 'pw',
    });
    await client.line(complaint);
    expect((await client.exited).code).not.toBe(0);
    expect(platform.record.count({ kind: 'chunk' })).toBeGreaterThan(0);
  },
);
