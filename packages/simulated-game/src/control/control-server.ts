import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { OperatorError } from '@steward/service-kit/process/errors';
import { type Controls, OrderError, UnclearOrder } from './order.ts';
import { howToOrder, longestPath, orderMessage, type ReplyMessage } from './order-line.ts';
import { orders } from './orders.ts';

/** Takes orders for the farm, from this machine and this user alone: the socket's permissions guard the way. */
export class ControlServer {
  readonly #path: string;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#serve(socket));
  readonly #controls: Controls;

  constructor(path: string, controls: Controls) {
    this.#path = path;
    this.#controls = controls;
  }

  async listen(): Promise<void> {
    if (Buffer.byteLength(this.#path) > longestPath) {
      throw new OperatorError(
        `FARM_CONTROL is longer than ${longestPath} bytes, which no Unix socket can have`,
      );
    }
    mkdirSync(dirname(this.#path), { recursive: true });
    if (await answers(this.#path)) {
      throw new OperatorError(`FARM_CONTROL is ${this.#path}, where another farm listens: set another path`);
    }
    rmSync(this.#path, { force: true });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject).listen(this.#path, resolve);
    await promise;
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    for (const socket of this.#sockets) socket.destroy();
    await promise;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => socket.destroy());
    const reply = (message: ReplyMessage) => socket.write(`${JSON.stringify(message)}\n`);
    const end = (message: ReplyMessage) => {
      reply(message);
      socket.end();
    };
    const lines = createInterface({ input: socket }).on('error', () => socket.destroy());
    lines.once('line', (line) => {
      try {
        const { order: name, words } = orderMessage.parse(JSON.parse(line));
        const order = Object.hasOwn(orders, name) ? orders[name] : undefined;
        if (order === undefined)
          throw new UnclearOrder(`there is no order "${name}"; ${howToOrder} help lists them`);
        order.run(this.#controls, words, {
          print: (line) => reply({ line }),
          done: () => end({ end: 'done' }),
          failed: () => end({ end: 'failed' }),
          onGone: (action) => socket.once('close', action),
        });
      } catch (error) {
        end({
          end: error instanceof UnclearOrder ? 'misunderstood' : 'refused',
          reason: error instanceof OrderError ? error.message : 'the order cannot be read',
        });
      }
    });
  }
}

/** A socket file that nobody answers on was left behind by a farm that crashed. */
function answers(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
