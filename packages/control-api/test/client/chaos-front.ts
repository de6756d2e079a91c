import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Changes } from '@steward/testing/changes';

/** What becomes of a connection on its way. */
const fates = [
  'passes',
  'is torn',
  'meets a server that is away',
  'has its streams held back',
  'has its upgrades refused',
  'has its upgrades swallowed',
  'never comes',
] as const;

export type FrontFate = (typeof fates)[number];

const usualFate = 0.5;
const longestTorn = 2_000;
const answer = (status: string) =>
  `HTTP/1.1 ${status}\r\ncontent-type: text/html\r\ncontent-length: 3\r\nconnection: close\r\n\r\nno\n`;
const badGateway = answer('502 Bad Gateway');
const noUpgrades = answer('426 Upgrade Required');

/** The ways by which one hears what happens, the first that is tried first. */
export type FollowedWay = '/ws' | '/events/stream' | '/events?';

export const followedWays: readonly FollowedWay[] = ['/ws', '/events/stream', '/events?'];

interface FrontOptions {
  readonly port: number;
  readonly random: () => number;
  /** What never passes, as behind a proxy that knows no upgrades and one that holds back what has no end. */
  readonly closed?: readonly FollowedWay[];
}

/** What stands between clients and the service: it tears connections where it likes, and where a test says so. */
export async function startChaosFront({ port, random, closed = [] }: FrontOptions) {
  const open = new Set<Socket>();
  const met = new Set<FrontFate>();
  const taken = new Set<FollowedWay>();
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
    let way: FollowedWay | undefined;
    client.on('data', (asked) => {
      way = followedWays.find((each) => asked.includes(`GET ${each}`)) ?? way;
      const isClosed = way !== undefined && closed.includes(way);
      isHeldBack =
        (way === '/events/stream' && (isClosed || fate === 'has its streams held back')) ||
        (way === '/ws' && fate === 'has its upgrades swallowed');
      if (way === '/ws' && (isClosed || fate === 'has its upgrades refused')) client.end(noUpgrades);
      else server.write(asked);
    });
    server.on('data', (told) => {
      if (isHeldBack) return;
      if (way !== undefined && told.includes('"cursor"')) taken.add(way);
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
    /** By which something was heard. */
    taken,
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
