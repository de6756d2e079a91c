import { setTimeout as pause } from 'node:timers/promises';
import { type ByteListener, openListeners } from './byte-listener.ts';
import { ChatProcess } from './chat-process.ts';
import type { Said, Usage } from './driven-server.ts';

const warmUp = 100;

/** After a message that all have heard, before the next: whatever the servers put off has been done. */
const restMs = 5;

interface Flooded {
  readonly perSecond: number;
  readonly perCpuSecond: number;
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

  static async start(which: 'relay' | 'bare', clients: number, streams = 0): Promise<Broadcast> {
    const server = await ChatProcess.start(which);
    const listeners = await openListeners(server.port, clients);
    const readers = await openListeners(server.port, streams, 'stream');
    const broadcast = new Broadcast(server, [...listeners, ...readers]);
    await broadcast.#hear(warmUp);
    return broadcast;
  }

  /** So many messages as fast as they go. */
  async flood(messages: number): Promise<Flooded> {
    const deliveries = this.#listeners.length * messages;
    const before = await this.usage({ collected: true });
    const { at } = await this.#hear(messages);
    const after = await this.usage();
    const last = Math.max(...this.#listeners.map(({ arrivals }) => arrivals.at(-1)?.at ?? Number.NaN));
    return {
      perSecond: (deliveries * 1_000) / (last - (at[0] ?? Number.NaN)),
      perCpuSecond: (deliveries * 1_000) / (after.cpuMs - before.cpuMs),
    };
  }

  /** One message: how long it took to each client. */
  async deliver(): Promise<readonly number[]> {
    const { at } = await this.#hear(1);
    const delaysMs = this.#listeners.map(
      ({ arrivals }) => (arrivals.at(-1)?.at ?? Number.NaN) - (at[0] ?? Number.NaN),
    );
    await pause(restMs);
    return delaysMs;
  }

  usage(options?: { collected: boolean }): Promise<Usage> {
    return this.#server.usage(options);
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    for (const { socket } of this.#listeners) socket.destroy();
  }

  /** Has the server say something, and waits until everybody has every byte of it. */
  async #hear(times: number): Promise<Said> {
    const first = this.#said + 1;
    const bytesFor = ({ bytesOf }: ByteListener) =>
      Array.from({ length: times }, (_, index) => bytesOf(first + index)).reduce(
        (sum, each) => sum + each,
        0,
      );
    // All of a door hear the same.
    const expected = new Map(this.#listeners.map((one) => [one.bytesOf, one]));
    const bytes = new Map([...expected].map(([door, one]) => [door, bytesFor(one)]));
    const expectedOf = ({ bytesOf }: ByteListener) => bytes.get(bytesOf) ?? 0;
    this.#said += times;
    const heard = this.#listeners.map((listener) => listener.expect(expectedOf(listener)));
    const said = await this.#server.say(times);
    await Promise.all(heard);
    if (this.#listeners.some((listener) => listener.bytes !== expectedOf(listener)))
      throw new Error('more came than was said');
    return said;
  }
}
