import { type ByteListener, openListeners } from '../chat/byte-listener.ts';
import { chatEvent } from '../chat/chat-text.ts';
import { monotonicMs } from '../chat/driven-server.ts';
import type { Growth } from '../page/growth-row.ts';
import { quantile } from '../quantile.ts';
import { doubled } from './doubling.ts';
import { type GrownService, withService } from './grown-service.ts';
import { mostConnections } from './open-files.ts';

const from = 250;
const messages = 12;

/** Chat clients that all hear what a player says. */
export function sockets(): Promise<Growth> {
  return withService(async (service) => {
    const { server } = service;
    const listeners: ByteListener[] = [];
    const port = Number(new URL(server.origin).port);
    const withoutMb = server.rssMb();
    const { steps, end } = await doubled({
      from,
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

async function said({ game }: GrownService, listeners: readonly ByteListener[]): Promise<number[]> {
  const heard = Promise.all(listeners.map((listener) => listener.expect(1)));
  const at = monotonicMs();
  game.happens(chatEvent);
  await game.orLost(heard);
  return listeners.map(({ arrivals }) => (arrivals[0]?.at ?? Number.NaN) - at);
}
