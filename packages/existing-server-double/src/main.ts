import { setTimeout as pause } from 'node:timers/promises';
import { ExistingServer } from './existing-server.ts';
import { host } from './hosting/hosting.ts';

const { API_PORT = '8080', API_HOST = '127.0.0.1', API_KEY = '', STEAM_AUTH_URL = '' } = process.env;

const server = await ExistingServer.start({ host: API_HOST, port: Number(API_PORT), key: API_KEY });
say(`listening on ${server.origin}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void server[Symbol.asyncDispose]().then(() => process.exit(0)));

if (STEAM_AUTH_URL !== '')
  await host({
    farm: server.farm,
    sidecarUrl: STEAM_AUTH_URL,
    pause: (ms) => pause(ms),
    log: say,
  }).catch((error: unknown) => say(`no codes: ${error}`));

function say(line: string): void {
  process.stderr.write(`existing-server-double: ${line}\n`);
}
