import { type Comparison, interleave } from '../comparison.ts';
import { type ByteListener, openListeners } from './byte-listener.ts';
import { ChatProcess } from './chat-process.ts';
import { frameBytes } from './chat-text.ts';
import type { Said } from './driven-server.ts';

const rounds = 15;
const clients = 1_000;
const warmUp = 100;
const flood = 200;
const paced = 25;
const everyMs = 40;

interface Measured {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  readonly p99Ms: number;
}

/** Chat to a thousand clients: how much at the most, and how long a message takes at an easy pace. */
export async function fanOut(): Promise<readonly Comparison[]> {
  // Both stay up all the time, so that the measurements lie close together.
  const bare = await Broadcast.start('bare');
  const relay = await Broadcast.start('relay');
  const { ours, limit } = await interleave(rounds, {
    limit: () => bare.measure(),
    ours: () => relay.measure(),
  });
  await bare.stop();
  await relay.stop();
  const compare = (figure: string, unit: string, value: (measured: Measured) => number): Comparison => ({
    figure,
    unit,
    ours: ours.map(value),
    limit: limit.map(value),
  });
  return [
    compare(`chat to ${clients} clients, saturated`, 'msg/s', ({ perSecond }) => perSecond),
    // Says the same on a machine that does other work beside.
    compare(`chat to ${clients} clients, by a second of CPU`, 'msg', ({ perCpuSecond }) => perCpuSecond),
    compare(`chat to ${clients} clients, every ${everyMs} ms, p99`, 'ms', ({ p99Ms }) => p99Ms),
  ];
}

class Broadcast {
  readonly #server: ChatProcess;
  readonly #listeners: readonly ByteListener[];
  #said = 0;

  private constructor(server: ChatProcess, listeners: readonly ByteListener[]) {
    this.#server = server;
    this.#listeners = listeners;
  }

  static async start(which: 'relay' | 'bare'): Promise<Broadcast> {
    const server = await ChatProcess.start(which);
    const broadcast = new Broadcast(server, await openListeners(server.port, clients));
    await broadcast.#hear(warmUp, 0);
    return broadcast;
  }

  async measure(): Promise<Measured> {
    const before = await this.#server.usage();
    const { at } = await this.#hear(flood, 0);
    const after = await this.#server.usage();
    const last = Math.max(...this.#listeners.map(({ arrivals }) => arrivals.at(-1)?.at ?? Number.NaN));
    const perSecond = (clients * flood * 1_000) / (last - (at[0] ?? Number.NaN));
    const perCpuSecond = (clients * flood * 1_000) / (after.cpuMs - before.cpuMs);
    const first = this.#said + 1;
    const said = await this.#hear(paced, everyMs);
    return { perSecond, perCpuSecond, p99Ms: quantile(delays(this.#listeners, said, first), 0.99) };
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    for (const { socket } of this.#listeners) socket.destroy();
  }

  /** Has the server say something, and waits until everybody has every byte of it. */
  async #hear(times: number, pace: number): Promise<Said> {
    const bytes = ends(this.#said + 1, times).at(-1) ?? 0;
    this.#said += times;
    const heard = this.#listeners.map((listener) => listener.expect(bytes));
    const said = await this.#server.say(times, pace);
    await Promise.all(heard);
    if (this.#listeners.some((listener) => listener.bytes !== bytes))
      throw new Error('more came than was said');
    return said;
  }
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
