import { chmod, lstat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Clock } from '@steward/service-kit/clock';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { withoutBrackets } from '@steward/service-kit/http/addresses';
import type { Log } from '@steward/service-kit/log/logger';
import { errorCode, OperatorError } from '@steward/service-kit/process/errors';
import type { Secret } from '@steward/service-kit/secret';
import { bridgeTiming } from '@steward/shared/bridge/protocol';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import type { BridgeMode, GameStream, ModeEvents } from './mode.ts';

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
  readonly initial = { status: 'waiting', why: 'no game has connected yet' } as const;
  readonly afterLoss = 'gone';
  readonly #parts: ListenParts;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  constructor(parts: ListenParts) {
    this.#parts = parts;
  }

  async start({ stream, report }: ModeEvents): Promise<void> {
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
    report(this.initial.status, this.initial.why);
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
      canVanish: address.kind === 'tcp',
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

type ListenAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** What the system takes as the name of a socket. */
const longestSocketPath = 107;
const tcp = /^tcp:(\[[0-9a-fA-F:.]+\]|[^:[\]]+):([0-9]{1,5})$/;

/** `unix:<path>` or `tcp:<host>:<port>`. */
export function parseListenAddress(text: string): Parsed<ListenAddress> {
  if (text.startsWith('unix:')) {
    const path = text.slice('unix:'.length);
    if (path === '') return refused('names no path after unix:');
    if (Buffer.byteLength(path) > longestSocketPath)
      return refused(`names a socket path longer than ${longestSocketPath} bytes; choose a shorter one`);
    return accepted({ kind: 'unix', path });
  }
  const match = tcp.exec(text);
  const [, host, port] = match ?? [];
  if (host === undefined || port === undefined || Number(port) > 65_535)
    return refused('is neither unix:<path> nor tcp:<host>:<port>');
  return accepted({ kind: 'tcp', host: withoutBrackets(host), port: Number(port) });
}

/** Makes way for a socket: what a process that died left behind goes, what somebody uses or keeps stays. */
async function clearSocketPath(path: string): Promise<void> {
  await makeDirectory(dirname(path));
  const kind = await kindOf(path);
  if (kind === 'nothing') return;
  if (kind === 'other')
    throw new OperatorError(`GAME_BRIDGE_LISTEN: ${path} exists and is not a socket; choose another path`);
  if (await answers(path))
    throw new OperatorError(
      `GAME_BRIDGE_LISTEN: another program listens on ${path}; stop that one or choose another path`,
    );
  await unlink(path);
}

async function kindOf(path: string): Promise<'nothing' | 'socket' | 'other'> {
  try {
    return (await lstat(path)).isSocket() ? 'socket' : 'other';
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'nothing';
    throw error;
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
