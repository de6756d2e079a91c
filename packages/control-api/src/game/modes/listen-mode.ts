import { chmod } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/log';
import { OperatorError } from '@steward/service-kit/process/operator-error';
import type { Secret } from '@steward/service-kit/secret';
import { bridgeTiming } from '@steward/shared/bridge/protocol';
import type { GameStream } from '../rpc/game-stream.ts';
import type { ListenAddress } from './listen-address.ts';
import type { BridgeMode, ModeEvents } from './mode.ts';
import { clearSocketPath } from './socket-file.ts';

const listenLimits = {
  /** Connections at once: one game, one that wants its place, and a few that say nothing and are soon dropped. */
  connections: 8,
  /** A connection that is being closed may take this long to read what was written. */
  flushMs: 1_000,
  /** TCP asks this often whether the other side still exists. */
  keepAliveMs: 10_000,
} as const;

export interface ListenParts {
  readonly address: ListenAddress;
  /** Asked for over TCP; a socket file's permissions guard the other way. */
  readonly secret: Secret | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Games dial in. */
export class ListenMode implements BridgeMode {
  readonly initial = { status: 'waiting', why: 'no game has dialled in yet' } as const;
  readonly afterLoss = 'gone';
  readonly #parts: ListenParts;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  constructor(parts: ListenParts) {
    this.#parts = parts;
  }

  async start({ stream }: ModeEvents): Promise<void> {
    const { address, log } = this.#parts;
    if (address.kind === 'unix') await clearSocketPath(address.path);
    const server = createServer({
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: listenLimits.keepAliveMs,
    });
    server.maxConnections = listenLimits.connections;
    server.on('connection', (socket) => stream(this.#streamOf(socket)));
    await listening(server, address);
    if (address.kind === 'unix') await chmod(address.path, 0o600);
    server.on('error', (error) => log.error({ err: error }, 'the game bridge cannot accept a connection'));
    this.#server = server;
    log.info({}, `the game bridge listens on ${this.where}`);
  }

  /** With the port that the system chose, where it was asked to. */
  get where(): string {
    const { address } = this.#parts;
    if (address.kind === 'unix') return `unix:${address.path}`;
    const bound = this.#server?.address();
    return `tcp:${address.host}:${typeof bound === 'object' && bound !== null ? bound.port : address.port}`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of this.#sockets) this.#close(socket);
    await closed;
  }

  #streamOf(socket: Socket): GameStream {
    const { address, secret } = this.#parts;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    const from = address.kind === 'unix' ? address.path : `${socket.remoteAddress}:${socket.remotePort}`;
    return {
      input: socket,
      output: socket,
      close: () => this.#close(socket),
      from,
      helloMs: bridgeTiming.hello,
      ...(secret === undefined ? {} : { secret }),
    };
  }

  #close(socket: Socket): void {
    if (socket.destroyed) return;
    socket.destroySoon();
    const timer = this.#parts.clock.after(listenLimits.flushMs, () => socket.destroy());
    socket.once('close', () => timer.cancel());
  }
}

function listening(server: Server, address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new OperatorError(`GAME_BRIDGE_LISTEN: cannot listen: ${error.message}; choose another address`),
      ),
    );
    if (address.kind === 'unix') server.listen(address.path, resolve);
    else server.listen(address.port, address.host, resolve);
  });
}
