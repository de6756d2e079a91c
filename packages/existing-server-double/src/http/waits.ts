import type { ExistingFarm } from '../farm/existing-farm.ts';
import type { Snapshot } from '../farm/snapshot.ts';
import type { Exchange } from './exchange.ts';
import { readInt32, readInt64 } from './numbers.ts';
import { healthOf } from './reads.ts';

const longestMs = 10_000;

type Matches = (exchange: Exchange, snapshot: Snapshot) => boolean;

/** What each long-poll asks of a newer snapshot. A filter that cannot be read is none. */
const filters: Readonly<Record<string, Matches>> = {
  '/wait/status': (exchange, { status }) =>
    ['isReady', 'dayTransitionComplete', 'isPaused', 'day', 'playerCount'].every((name) => {
      const wanted = exchange.parameter(name);
      const actual = Object.entries(status).find(([member]) => member === name)?.[1];
      return wanted === undefined || String(actual) === wanted.toLowerCase();
    }),
  '/wait/players': (exchange, { players }) => {
    const wanted = readInt64(exchange.parameter('playerId'));
    return wanted === undefined || players.some(({ id }) => id === wanted);
  },
  '/wait/farmhands': (exchange, { farmhands }) => {
    const count = readInt32(exchange.parameter('farmhandCount'));
    return count === undefined || farmhands.length === count;
  },
};

export function isWait(path: string): boolean {
  return path === '/wait/health' || Object.hasOwn(filters, path);
}

/** Answers as the plain endpoint does once there is something newer, or 408 with nothing at all. */
export async function waitFor(exchange: Exchange, farm: ExistingFarm, body: () => object): Promise<void> {
  const found = await match(exchange, farm);
  if (found) exchange.json(200, body());
  else exchange.empty(408);
}

function match(exchange: Exchange, farm: ExistingFarm): Promise<boolean> {
  const since = readInt64(exchange.parameter('since')) ?? 0n;
  const filter = filters[exchange.path];
  const matches = (snapshot: Snapshot | undefined): boolean => {
    if (filter === undefined) return isHealthy(exchange, farm);
    return snapshot !== undefined && BigInt(snapshot.version) > since && filter(exchange, snapshot);
  };
  if (matches(farm.snapshot)) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const settle = (isMatch: boolean): void => {
    clearTimeout(timer);
    farm.off('snapshot', look);
    socket.off('close', giveUp);
    resolve(isMatch);
  };
  const look = (snapshot: Snapshot): void => {
    if (matches(snapshot)) settle(true);
  };
  const { socket } = exchange.request;
  const giveUp = (): void => settle(false);
  const timer = setTimeout(giveUp, budgetOf(exchange));
  farm.on('snapshot', look);
  socket.once('close', giveUp);
  return promise;
}

function isHealthy(exchange: Exchange, farm: ExistingFarm): boolean {
  const { isFrozen, tickCount } = healthOf(farm);
  return exchange.parameter('ready') !== 'true' || (tickCount > 0 && !isFrozen);
}

function budgetOf(exchange: Exchange): number {
  const asked = readInt32(exchange.parameter('timeout'));
  return asked === undefined || asked <= 0 ? longestMs : Math.min(asked, longestMs);
}
