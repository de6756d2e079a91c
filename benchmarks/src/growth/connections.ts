import { readFileSync } from 'node:fs';
import { type ByteListener, openListeners } from '../chat/byte-listener.ts';
import { chatEvent } from '../chat/chat-text.ts';
import { monotonicMs } from '../chat/driven-server.ts';
import { quantile } from '../comparison.ts';
import { load } from '../http/load.ts';
import type { Growth } from '../page/growth-row.ts';
import { doubled } from './doubling.ts';
import { type GrownService, withService } from './grown-service.ts';

const fromRequests = 32;
const measuredMs = 3_000;

/** Connections with a request each in flight all the time. */
export function requests(): Promise<Growth> {
  return withService(async ({ server }) => {
    const { steps, end } = await doubled({
      from: fromRequests,
      most: { number: mostConnections(), because: 'a process may open no more files on this machine' },
      step: async (connections) => {
        const before = server.cpuMs();
        const { answers, medianMs, p99Ms } = await load(server.origin, {
          path: '/status',
          headers: {},
          connections,
          ms: measuredMs,
        });
        const eachUs = ((server.cpuMs() - before) * 1_000) / answers;
        return { number: connections, medianMs, p99Ms, eachUs, memoryMb: server.rssMb() };
      },
    });
    return {
      doubled: 'requests',
      timed: 'GET /status, so many in flight',
      steps,
      breaks: `${end}. As set out of the box, connections beyond 7,000 (2,000 and \`WS_MAX_CONNECTIONS\`) are closed at once.`,
    };
  });
}

const fromClients = 250;
const messages = 12;

/** Chat clients that all hear what a player says. */
export function sockets(): Promise<Growth> {
  return withService(async (service) => {
    const { server } = service;
    const listeners: ByteListener[] = [];
    const port = Number(new URL(server.origin).port);
    const withoutMb = server.rssMb();
    const { steps, end } = await doubled({
      from: fromClients,
      most: { number: mostConnections(), because: 'a process may open no more files on this machine' },
      step: async (number) => {
        listeners.push(...(await openListeners(port, number - listeners.length)));
        const before = server.cpuMs();
        const delays: number[] = [];
        for (let message = 0; message < messages; message += 1)
          delays.push(...(await said(service, listeners)));
        const eachUs = ((server.cpuMs() - before) * 1_000) / (messages * number);
        return {
          number,
          medianMs: quantile(delays, 0.5),
          p99Ms: quantile(delays, 0.99),
          eachUs,
          memoryMb: server.rssMb(),
        };
      },
    });
    for (const { socket } of listeners) socket.destroy();
    const last = steps.at(-1);
    const eachKb = last === undefined ? Number.NaN : ((last.memoryMb - withoutMb) * 1_024) / last.number;
    return {
      doubled: 'sockets',
      timed: "a player's line to every chat client",
      steps,
      breaks: `${end}. A client takes ${eachKb.toFixed(0)} KB; as set out of the box \`WS_MAX_CONNECTIONS\` refuses the 5,001st with 503.`,
    };
  });
}

/** A player says something: how long it took to each client. */
export async function said(
  { game }: Pick<GrownService, 'game'>,
  listeners: readonly ByteListener[],
): Promise<number[]> {
  const heard = Promise.all(listeners.map((listener) => listener.expect(1)));
  const at = monotonicMs();
  game.happens({ kind: 'chat', ...chatEvent.data });
  await game.orLost(heard);
  return listeners.map(({ arrivals }) => (arrivals[0]?.at ?? Number.NaN) - at);
}

/** Kept for what a process has open besides its connections. */
const spare = 500;

/** How many connections a process may have here: each is an open file. */
function mostConnections(): number {
  const [, soft = ''] = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Number(soft) - spare;
}
