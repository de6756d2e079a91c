import type { Comparison } from '../comparison.ts';
import { openListeners } from './byte-listener.ts';
import { ChatProcess } from './chat-process.ts';
import { frameBytes } from './chat-text.ts';

const rounds = 3;
const warm = 500;
const clients = 5_000;
const idleLimitKb = 20;

/** What an idle connection costs while five thousand are held, all of which then hear a message. */
export async function held(): Promise<readonly Comparison[]> {
  const kilobytes: number[] = [];
  for (let round = 0; round < rounds; round += 1) kilobytes.push(await idleKilobytes());
  return [
    {
      figure: `memory of an idle chat connection, ${clients} held`,
      unit: 'KB',
      ours: kilobytes,
      bar: idleLimitKb,
    },
  ];
}

async function idleKilobytes(): Promise<number> {
  const server = await ChatProcess.start('relay');
  // The first few warm the code up; their memory is not a connection's.
  const some = await openListeners(server.port, warm);
  const before = await server.usage({ collected: true });
  const listeners = await openListeners(server.port, clients - warm);
  const after = await server.usage({ collected: true });
  const heard = [...some, ...listeners].map((listener) => listener.expect(frameBytes(1)));
  await server.say(1);
  await Promise.all(heard);
  await server.stop();
  for (const { socket } of [...some, ...listeners]) socket.destroy();
  return (after.rssBytes - before.rssBytes) / (clients - warm) / 1024;
}
