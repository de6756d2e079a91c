import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { demoApps } from '@steward/platform-emulator/demo-apps';
import { startPlatform } from '@steward/platform-emulator/platform';
import { decodeStrings } from '@steward/platform-emulator/wire/key-values';
import { createServer } from '@steward/service-kit/http/node-http';
import { lobbyDataNames } from '@steward/shared/sidecar/platform';
import { gameApp, type PlatformRun } from '../platform-run.ts';

// The emulated platform as a process that can be killed. It comes back as the same platform, without a session or a lobby.
const run = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as PlatformRun;
const gameBytes = 1_000_000;
const platform = await startPlatform({
  accounts: [{ name: run.account, password: run.password, owns: [gameApp] }],
  // Just enough of a game for a setup that is whole.
  apps: demoApps(run.seed, gameBytes),
  seed: run.seed,
  renewal: run.renewal,
  continuing: run.continuing,
});
// The platform's minute between two tickets, for a sidecar whose clock is that much faster.
setInterval(() => platform.liftTicketCooldown(), run.ticketPauseMs);

/** What the run asks of the platform: what it sees there, and what goes wrong there. */
const orders: Readonly<Record<string, (value: number) => unknown>> = {
  look: () =>
    platform.lobbies.listed(gameApp).map(({ id, type, metadata }) => ({
      id,
      type,
      gameServerId: decodeStrings(metadata).get(lobbyDataNames.gameServerId) ?? '',
    })),
  kick: (eresult) => platform.kick(run.account, eresult),
  drop: () => platform.dropConnections(),
  'close-lobbies': () => {
    for (const lobby of platform.lobbies.all) platform.lobbies.leave(lobby, lobby.owner);
  },
  'refuse-tickets': (eresult) => {
    const when = { path: 'ClientRequestEncryptedAppTicket' };
    platform.faults.add({ when, times: 2, fault: { eresult } });
  },
  'refuse-logons': (eresult) => {
    platform.faults.add({ when: { path: 'ClientLogon' }, times: 2, fault: { eresult } });
    platform.dropConnections();
  },
};

const server = createServer((request, response) => {
  const [, order = '', value = '0'] = (request.url ?? '').split('/');
  response.end(JSON.stringify(orders[order]?.(Number(value)) ?? null));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const ticketKey = platform.ticketKey.toString('hex');
  process.stdout.write(`${JSON.stringify({ orders: `http://127.0.0.1:${port}`, ticketKey })}\n`);
});
process.once('SIGTERM', () => process.exit());
