import { setTimeout as pause } from 'node:timers/promises';
import { endWithReader } from '@steward/service-kit/process/ending';
import { ordersOf, takeOrders } from './control/orders.ts';
import { ExistingServer } from './existing-server.ts';
import { type Hosting, host } from './hosting/hosting.ts';

const {
  API_PORT = '8080',
  API_HOST = '127.0.0.1',
  API_KEY = '',
  STEAM_AUTH_URL = '',
  DOUBLE_CONTROL = '',
} = process.env;

endWithReader();
let hosting: Hosting | undefined;
const server = await ExistingServer.start({ host: API_HOST, port: Number(API_PORT), key: API_KEY });
if (DOUBLE_CONTROL !== '')
  takeOrders(
    DOUBLE_CONTROL,
    ordersOf(server, () => hosting),
  );
say(`listening on ${server.origin}`);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void server[Symbol.asyncDispose]().then(() => process.exit(0)));

if (STEAM_AUTH_URL !== '')
  hosting = await host({
    farm: server.farm,
    sidecarUrl: STEAM_AUTH_URL,
    pause: (ms) => pause(ms),
    log: say,
  }).catch((error: unknown) => {
    say(`no codes: ${error}`);
    return undefined;
  });

function say(line: string): void {
  process.stderr.write(`existing-server-double: ${line}\n`);
}
