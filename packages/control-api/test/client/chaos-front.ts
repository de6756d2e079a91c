import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Changes } from '@steward/testing/changes';

/** What becomes of a connection on its way. */
const fates = [
  'passes',
  'is torn',
  'meets a server that is away',
  'has its streams held back',
  'never comes',
] as const;

export type FrontFate = (typeof fates)[number];

const usualFate = 0.5;
const longestTorn = 2_000;
const badGateway =
  'HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 3\r\nconnection: close\r\n\r\nno\n';

/** What stands between clients and the service: it tears connections where it likes, and where a test says so. */
export async function startChaosFront(port: number, random: () => number) {
  const open = new Set<Socket>();
  const met = new Set<FrontFate>();
  const changes = new Changes();
  const drawn = (): FrontFate =>
    random() < usualFate ? 'passes' : (fates[Math.floor(random() * fates.length)] ?? 'passes');
  const front = createServer((client) => {
    client.on('error', () => {});
    const fate = drawn();
    met.add(fate);
    if (fate === 'never comes') client.destroy();
    else if (fate === 'meets a server that is away') client.once('data', () => client.end(badGateway));
    else passOn(client, fate);
  }).listen(0, '127.0.0.1');
  const passOn = (client: Socket, fate: FrontFate) => {
    const server = connect(port, '127.0.0.1');
    server.on('error', () => {});
    server.on('close', () => client.destroy());
    client.on('close', () => {
      open.delete(client);
      server.destroy();
    });
    open.add(client);
    changes.told();
    let left = fate === 'is torn' ? Math.floor(random() * longestTorn) : Number.POSITIVE_INFINITY;
    let isHeldBack = false;
    client.on('data', (asked) => {
      isHeldBack = fate === 'has its streams held back' && asked.includes('/events/stream');
      server.write(asked);
    });
    server.on('data', (told) => {
      if (isHeldBack) return;
      client.write(told.subarray(0, left), () => {
        if (left <= 0) client.destroy();
      });
      left = Math.max(0, left - told.length);
    });
  };
  await once(front, 'listening');
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    met,
    every: new Set(fates),
    /** Cuts one of them, as soon as there is one. */
    async cut(): Promise<void> {
      const one = await changes.until(() => [...open][Math.floor(random() * open.size)], {
        missing: () => 'nobody is connected',
      });
      open.delete(one);
      one.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const client of open) client.destroy();
      front.close();
      await once(front, 'close');
    },
  };
}
