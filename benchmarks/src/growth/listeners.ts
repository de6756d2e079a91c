import { chatVariables } from '@steward/control-api/chat/limits';
import { quantile } from '@steward/testing/quantile';
import { type ByteListener, type Door, openListeners } from '../chat/byte-listener.ts';
import { chatEvent } from '../chat/chat-text.ts';
import { monotonicMs } from '../chat/driven-server.ts';
import type { Growth } from '../page/growth-row.ts';
import { mostConnections } from './connections.ts';
import { doubled } from './doubling.ts';
import { type GrownService, withService } from './grown-service.ts';

const from = 250;
const messages = 12;

/** Chat clients that all hear what a player says. */
export function sockets(): Promise<Growth> {
  return listeners('sockets', "a player's line to every chat client", 'ws');
}

/** Readers of Server-Sent Events who do. */
export function sseClients(): Promise<Growth> {
  return listeners('SSE clients', "a player's line to every stream of events", 'stream');
}

function listeners(what: string, timed: string, door: Door): Promise<Growth> {
  return withService(async (service) => {
    const { server } = service;
    const open: ByteListener[] = [];
    const port = Number(new URL(server.origin).port);
    const withoutMb = server.rssMb();
    const grown = await doubled({
      from,
      most: mostConnections(),
      step: async (number) => {
        open.push(...(await openListeners(port, number - open.length, door)));
        const before = server.cpuMs();
        const delays: number[] = [];
        for (let message = 0; message < messages; message += 1) delays.push(...(await said(service, open)));
        const eachUs = ((server.cpuMs() - before) * 1_000) / (messages * number);
        const [medianMs, p99Ms] = [quantile(delays, 0.5), quantile(delays, 0.99)];
        return { number, medianMs, p99Ms, eachUs, memoryMb: server.rssMb() };
      },
    });
    for (const { socket } of open) socket.destroy();
    const last = grown.steps.at(-1);
    const eachKb = last === undefined ? Number.NaN : ((last.memoryMb - withoutMb) * 1_024) / last.number;
    const madeFor = chatVariables.WS_MAX_CONNECTIONS.fallback;
    return {
      doubled: what,
      timed,
      ...grown,
      madeFor,
      breaks: `${grown.end}. A client takes ${eachKb.toFixed(0)} KB; as set out of the box \`WS_MAX_CONNECTIONS\` refuses one beyond ${madeFor.toLocaleString('en')} with 503.`,
    };
  });
}

/** What is told holds the line itself: what is shorter is the sign of life of a stream. */
const leastBytes = Buffer.byteLength(chatEvent.data.message);

/** A player says something: how long it took to each client. */
export async function said(
  { game }: Pick<GrownService, 'game'>,
  open: readonly ByteListener[],
): Promise<number[]> {
  const heard = Promise.all(open.map((listener) => listener.expect(leastBytes)));
  const at = monotonicMs();
  game.happens({ kind: 'chat', ...chatEvent.data });
  await game.orLost(heard);
  return open.map(
    ({ arrivals }) => (arrivals.find(({ bytes }) => bytes >= leastBytes)?.at ?? Number.NaN) - at,
  );
}
