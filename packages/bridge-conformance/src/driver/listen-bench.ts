import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { OperatorError } from '@steward/service-kit/process/errors';
import type { Bench, Streams } from './bench.ts';
import { Watch } from './patience.ts';

/** Listens as the control API would; the game dials. */
export class ListenBench implements Bench {
  readonly mode = 'listen';
  readonly where: string;
  readonly secret: string | undefined;
  readonly #server: Server;
  readonly #watch = new Watch();
  readonly #dialled: Socket[] = [];
  #present: Socket | undefined;

  private constructor(server: Server, where: string, secret: string | undefined) {
    this.#server = server;
    this.where = where;
    this.secret = secret;
    server.on('connection', (socket) => {
      socket.on('error', () => {});
      this.#dialled.push(socket);
      this.#watch.changed();
    });
  }

  static async open(at: ListenOptions, secret?: string): Promise<ListenBench> {
    const server = createServer();
    // A socket that an earlier run left behind; anything else is not ours to remove.
    if (at.path !== undefined && lstatSync(at.path, { throwIfNoEntry: false })?.isSocket()) rmSync(at.path);
    await new Promise<void>((resolve, reject) => {
      server.once('error', ({ message }) => reject(new OperatorError(`cannot listen there: ${message}`)));
      server.listen(at, resolve);
    });
    if (at.path !== undefined) chmodSync(at.path, 0o600);
    const bound = server.address();
    const where = typeof bound === 'object' ? `tcp:${at.host}:${bound?.port}` : `unix:${bound}`;
    return new ListenBench(server, where, secret);
  }

  async next(ms: number): Promise<Streams | undefined> {
    await this.#watch.holds(() => this.#dialled.length > 0, ms);
    const socket = this.#dialled.shift();
    if (socket === undefined) return undefined;
    this.#present = socket;
    return { input: socket, output: socket, end: () => socket.destroySoon(), strayLines: false };
  }

  async drop(): Promise<void> {
    this.#present?.destroy();
    this.#present = undefined;
  }

  async exits(): Promise<undefined> {
    return undefined;
  }

  endInput(): void {}

  async close(): Promise<void> {
    for (const socket of [this.#present, ...this.#dialled]) socket?.destroy();
    await new Promise<void>((resolve) => {
      this.#server.on('connection', (socket) => socket.destroy());
      this.#server.close(() => resolve());
    });
  }
}
