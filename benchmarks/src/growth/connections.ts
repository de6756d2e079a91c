import { readFileSync } from 'node:fs';
import { chatVariables } from '@steward/control-api/chat/limits';
import { httpLimits } from '@steward/service-kit/http/http-server';
import { seededRandom } from '@steward/testing/seeded-random';
import { type Asked, load } from '../http/load.ts';
import type { Growth } from '../page/growth-row.ts';
import { fill, withHistory } from '../store/history.ts';
import { doubled } from './doubling.ts';
import { largestFarm } from './growing-game.ts';
import { type GrownService, withService } from './grown-service.ts';

const fromRequests = 32;
const measuredMs = 3_000;

/** Connections that the service has, set up as it is out of the box. */
const connectionsAtOnce = httpLimits.connections + chatVariables.WS_MAX_CONNECTIONS.fallback;

/** Connections with a request each in flight all the time. */
export function requests(): Promise<Growth> {
  return withService(async (service) => {
    const grown = await doubledRequests(service, { path: '/status' });
    return {
      doubled: 'requests',
      timed: 'GET /status, so many in flight',
      ...grown,
      madeFor: connectionsAtOnce,
      breaks: `${grown.end}. As set out of the box, connections beyond ${connectionsAtOnce.toLocaleString('en')} (2,000 and \`WS_MAX_CONNECTIONS\`) are closed at once.`,
    };
  });
}

const keptEvents = 100_000;
const places = 1_000;

/** Readers who each go through the events that are kept by a cursor of their own. */
export function eventReaders(): Promise<Growth> {
  const random = seededRandom(1);
  let asked: readonly Asked[] = [];
  const prepare = (directory: string) =>
    withHistory(directory, async (history) => {
      await fill(history, keptEvents);
      asked = Array.from({ length: places }, () => {
        const place = Math.floor(random() * keptEvents);
        return { path: `/events?after=${history.epoch}-${place}` };
      });
    });
  return withService(
    async (service) => {
      const grown = await doubledRequests(service, asked);
      return {
        doubled: 'event readers',
        timed: `a page of 100 of ${keptEvents.toLocaleString('en')} events behind a cursor, so many in flight`,
        ...grown,
        madeFor: largestFarm,
        breaks: `${grown.end}. The cost of each is that of a page; made for is one reader, without a pause, for each player of the largest farm.`,
      };
    },
    { prepare },
  );
}

function doubledRequests({ server }: GrownService, asked: Asked | readonly Asked[]) {
  return doubled({
    from: fromRequests,
    most: mostConnections(),
    step: async (connections) => {
      const before = server.cpuMs();
      const { answers, medianMs, p99Ms } = await load(server.origin, asked, { connections, ms: measuredMs });
      const eachUs = ((server.cpuMs() - before) * 1_000) / answers;
      return { number: connections, medianMs, p99Ms, eachUs, memoryMb: server.rssMb() };
    },
  });
}

/** Kept for what a process has open besides its connections. */
const spare = 500;

/** How many connections a process may have here: each is an open file. */
export function mostConnections() {
  const [, soft = ''] = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return { number: Number(soft) - spare, because: 'a process may open no more files on this machine' };
}
