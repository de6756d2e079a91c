import { Broadcast } from '../chat/broadcast.ts';
import { openListeners } from '../chat/byte-listener.ts';
import { ChatProcess } from '../chat/chat-process.ts';
import { type Delivery, deliveries } from '../chat/delivery.ts';
import type { Comparison } from '../comparison.ts';

const clients = 1_000;
/** Half of them with the streams connected first, which makes a difference of its own. */
const rounds = 60;
const beside = `${2 * clients} sockets`;
const atMost = 1.3;

/** What happens, told to as many streams as sockets, beside the same number of listeners that are all sockets. */
export async function streams(): Promise<readonly Comparison[]> {
  const sockets = await Broadcast.start('relay', 2 * clients);
  const both = await Broadcast.start('relay', clients, clients);
  const first = await deliveries(sockets, both, rounds / 2);
  await sockets.stop();
  await both.stop();
  const bothFirst = await Broadcast.start('relay', clients, clients);
  const socketsSecond = await Broadcast.start('relay', 2 * clients);
  const turned = await deliveries(socketsSecond, bothFirst, rounds / 2);
  await socketsSecond.stop();
  await bothFirst.stop();
  const compare = (value: (one: Delivery) => number) => ({
    unit: 'ms',
    ours: [...first.ours, ...turned.ours].map(value),
    limit: [...first.limit, ...turned.limit].map(value),
    beside,
  });
  const told = `a message to ${clients} streams and ${clients} sockets`;
  return [
    { figure: `${told}, p99`, ...compare(({ p99Ms }) => p99Ms), atMost },
    { figure: `${told}, median`, ...compare(({ medianMs }) => medianMs) },
    { figure: `${told}, CPU`, ...compare(({ cpuMs }) => cpuMs) },
    ...(await idle()),
  ];
}

const idleRounds = 3;
/** The first few warm the code up; their memory is not a stream's. */
const warm = 500;
const held = 5_000;
const idleLimitKb = 20;

async function idle(): Promise<readonly Comparison[]> {
  const kilobytes: number[] = [];
  for (let round = 0; round < idleRounds; round += 1) kilobytes.push(await idleKilobytes());
  return [
    { figure: `memory of an idle stream, ${held} held`, unit: 'KB', ours: kilobytes, bar: idleLimitKb },
  ];
}

async function idleKilobytes(): Promise<number> {
  const server = await ChatProcess.start('relay');
  const some = await openListeners(server.port, warm, 'stream');
  const before = await server.usage({ collected: true });
  const listeners = await openListeners(server.port, held - warm, 'stream');
  const after = await server.usage({ collected: true });
  const heard = [...some, ...listeners].map((listener) => listener.expect(listener.bytesOf(1)));
  await server.say(1);
  await Promise.all(heard);
  await server.stop();
  for (const { socket } of [...some, ...listeners]) socket.destroy();
  return (after.rssBytes - before.rssBytes) / (held - warm) / 1024;
}
