import { type ByteListener, openListeners } from './byte-listener.ts';
import { ChatProcess } from './chat-process.ts';
import { frameBytes } from './chat-text.ts';
import type { Said } from './driven-server.ts';

const warmUp = 100;

interface Flooded {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

interface Paced {
  /** How long each message took to each client. */
  readonly delaysMs: readonly number[];
  /** What one message cost the server. */
  readonly cpuMs: number;
}

/** A server, and a crowd that hears what it says. */
export class Broadcast {
  readonly #server: ChatProcess;
  readonly #listeners: readonly ByteListener[];
  #said = 0;

  private constructor(server: ChatProcess, listeners: readonly ByteListener[]) {
    this.#server = server;
    this.#listeners = listeners;
  }

  static async start(which: 'relay' | 'bare', clients: number): Promise<Broadcast> {
    const server = await ChatProcess.start(which);
    const broadcast = new Broadcast(server, await openListeners(server.port, clients));
    await broadcast.#hear(warmUp, 0);
    return broadcast;
  }

  /** So many messages as fast as they go. */
  async flood(messages: number): Promise<Flooded> {
    const deliveries = this.#listeners.length * messages;
    const before = await this.#server.usage({ collected: true });
    const { at } = await this.#hear(messages, 0);
    const after = await this.#server.usage();
    const last = Math.max(...this.#listeners.map(({ arrivals }) => arrivals.at(-1)?.at ?? Number.NaN));
    return {
      perSecond: (deliveries * 1_000) / (last - (at[0] ?? Number.NaN)),
      perCpuSecond: (deliveries * 1_000) / (after.cpuMs - before.cpuMs),
    };
  }

  /** Says a message at each interval. */
  async pace(messages: number, everyMs: number): Promise<Paced> {
    const first = this.#said + 1;
    const before = await this.#server.usage({ collected: true });
    const said = await this.#hear(messages, everyMs);
    const after = await this.#server.usage();
    const messageEnds = ends(first, messages);
    const delaysMs = this.#listeners.flatMap(({ arrivals }) => {
      let next = 0;
      return messageEnds.map((end, index) => {
        while ((arrivals[next]?.bytes ?? Number.POSITIVE_INFINITY) < end) next += 1;
        return (arrivals[next]?.at ?? Number.NaN) - (said.at[index] ?? Number.NaN);
      });
    });
    return { delaysMs, cpuMs: (after.cpuMs - before.cpuMs) / messages };
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
