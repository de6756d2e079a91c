import { type Comparison, interleave } from '../comparison.ts';
import { type ByteListener, openListeners } from './byte-listener.ts';
import { ChatProcess } from './chat-process.ts';
import { frameBytes } from './chat-text.ts';
import type { Said } from './driven-server.ts';

const rounds = 7;
const clients = 1_000;
const warmUp = 100;
const flood = 400;
const paced = 80;
const everyMs = 40;

interface Measured {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** Chat to a thousand clients: how much at the most, and how long a message takes at an easy pace. */
export async function fanOut(): Promise<readonly Comparison[]> {
  const { ours, limit } = await interleave(
    rounds,
    () => measure('bare'),
    () => measure('relay'),
  );
  const compare = (figure: string, unit: string, value: (measured: Measured) => number): Comparison => ({
    figure,
    unit,
    ours: ours.map(value),
    limit: limit.map(value),
  });
  return [
    compare(`chat to ${clients} clients, saturated`, 'msg/s', ({ perSecond }) => perSecond),
    compare(`chat to ${clients} clients, every ${everyMs} ms, p99`, 'ms', ({ p99Ms }) => p99Ms),
  ];
}

async function measure(which: 'relay' | 'bare'): Promise<Measured> {
  const server = await ChatProcess.start(which);
  const listeners = await openListeners(server.port, clients);
  await hear(server, listeners, 1, warmUp, 0);
  const flooded = await hear(server, listeners, warmUp + 1, flood, 0);
  const last = Math.max(...listeners.map(({ arrivals }) => arrivals.at(-1)?.at ?? Number.NaN));
  const perSecond = (clients * flood * 1_000) / (last - (flooded.at[0] ?? Number.NaN));
  const first = warmUp + flood + 1;
  const said = await hear(server, listeners, first, paced, everyMs);
  const p99Ms = quantile(delays(listeners, said, first), 0.99);
  await server.stop();
  for (const { socket } of listeners) socket.destroy();
  return { perSecond, p99Ms };
}

/** Has the server say something, and waits until everybody has every byte of it. */
async function hear(
  server: ChatProcess,
  listeners: readonly ByteListener[],
  first: number,
  times: number,
  pace: number,
): Promise<Said> {
  const bytes = ends(first, times).at(-1) ?? 0;
  const heard = listeners.map((listener) => listener.expect(bytes));
  const said = await server.say(times, pace);
  await Promise.all(heard);
  if (listeners.some((listener) => listener.bytes !== bytes)) throw new Error('more came than was said');
  return said;
}

/** Where in the stream of bytes each message ends. */
function ends(first: number, times: number): number[] {
  let end = 0;
  return Array.from({ length: times }, (_, index) => {
    end += frameBytes(first + index);
    return end;
  });
}

function delays(listeners: readonly ByteListener[], { at }: Said, first: number): number[] {
  const messageEnds = ends(first, at.length);
  return listeners.flatMap(({ arrivals }) =>
    messageEnds.map((end, index) => {
      const arrival = arrivals.find(({ bytes }) => bytes >= end);
      return (arrival?.at ?? Number.NaN) - (at[index] ?? Number.NaN);
    }),
  );
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
