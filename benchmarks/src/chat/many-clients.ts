import { once } from 'node:events';
import { nodeOptionsOf } from '@steward/tools/bundle/services';
import { WebSocket } from 'ws';
import type { Comparison } from '../comparison.ts';
import { Bare } from '../start/bare.ts';
import { type Door, openListeners } from './byte-listener.ts';
import { ChatProcess } from './chat-process.ts';
import { epoch } from './chat-text.ts';

const heldRounds = 3;
const warm = 500;
const heldClients = 5_000;
const idleLimitKb = 20;

/** What an idle connection costs while five thousand are held, all of which then hear a message. */
export function held(): Promise<readonly Comparison[]> {
  return idleMemory('a chat connection', 'ws');
}

/** What whoever listens by this door costs the service, as it is started wherever it serves, while nothing happens. */
export async function idleMemory(what: string, door: Door): Promise<readonly Comparison[]> {
  const kilobytes: number[] = [];
  for (let round = 0; round < heldRounds; round += 1) kilobytes.push(await idleKilobytes(door));
  const figure = `memory of ${what} that is idle, ${heldClients} held`;
  return [{ figure, unit: 'KB', ours: kilobytes, bar: idleLimitKb }];
}

async function idleKilobytes(door: Door): Promise<number> {
  const server = await ChatProcess.start('relay', nodeOptionsOf('control-api'));
  // The first few warm the code up; their memory is not a listener's.
  const some = await openListeners(server.port, warm, door);
  const before = await server.usage({ collected: true });
  const listeners = await openListeners(server.port, heldClients - warm, door);
  const after = await server.usage({ collected: true });
  const heard = [...some, ...listeners].map((listener) => listener.expect(listener.bytesOf(1)));
  await server.say(1);
  await Promise.all(heard);
  await server.stop();
  for (const { socket } of [...some, ...listeners]) socket.destroy();
  return (after.rssBytes - before.rssBytes) / (heldClients - warm) / 1024;
}

const stormRounds = 5;
const stormClients = 1_000;
const missed = 20;
const limitMs = 2_000;

/** A thousand clients of the library lose their connections at once, come back at once, and lack nothing. */
export async function storm(): Promise<readonly Comparison[]> {
  const bare = await Bare.measured();
  const server = await ChatProcess.start('relay');
  const ms: number[] = [];
  for (let round = 0; round < stormRounds; round += 1) ms.push(await reconnect(server, round * missed));
  await server.stop();
  const figure = `${stormClients} clients reconnect and catch up on ${missed} messages each`;
  return [bare.beside({ figure, unit: 'ms', ours: ms }, 'startCpuMs', limitMs)];
}

async function reconnect(server: ChatProcess, place: number): Promise<number> {
  const url = `ws://127.0.0.1:${server.port}/ws`;
  const before = Array.from({ length: stormClients }, () => new WebSocket(url, { perMessageDeflate: false }));
  await Promise.all(before.map((socket) => once(socket, 'open')));
  for (const socket of before) {
    socket.on('error', () => {});
    socket.terminate();
  }
  await server.say(missed);
  const started = performance.now();
  const sockets = await Promise.all(Array.from({ length: stormClients }, () => catchUp(url, place)));
  const ms = performance.now() - started;
  for (const socket of sockets) socket.terminate();
  return ms;
}

function catchUp(url: string, place: number): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const cursors: string[] = [];
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => {
      socket.send(JSON.stringify({ type: 'resume', payload: { cursor: `${epoch}-${place}` } }));
    });
    socket.on('message', (data) => {
      const { type, payload } = JSON.parse(data.toString()) as { type: string; payload: { cursor: string } };
      if (type !== 'chat') return;
      cursors.push(payload.cursor);
      if (payload.cursor !== `${epoch}-${place + cursors.length}`)
        reject(new Error('a message is lost or doubled'));
      if (cursors.length === missed) resolve(socket);
    });
  });
}
