import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { OperatorError } from '@steward/service-kit/process/errors';
import { Watch } from './patience.ts';

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  readonly end: () => void;
  /** Lines that are no messages may come between them. */
  readonly strayLines: boolean;
}

/** A way to a game, again and again. */
export interface Bench {
  readonly mode: 'listen' | 'spawn';
  readonly where: string;
  readonly secret: string | undefined;
  /** The next connection; undefined when none comes in time. */
  next(ms: number): Promise<Streams | undefined>;
  /** Ends the present connection; with `crash`, a game that was started here without any warning. */
  drop(crash: boolean): Promise<void>;
  /** Where the game was started here: whether its process ends in time. */
  exits(ms: number): Promise<number | 'signal' | undefined>;
  /** Where the game was started here: ends its input and nothing else. */
  endInput(): void;
  close(): Promise<void>;
}

/** Starts the game for each connection, as the control API would. */
export class SpawnBench implements Bench {
  readonly mode = 'spawn';
  readonly where: string;
  readonly secret = undefined;
  readonly #command: readonly string[];
  readonly #watch = new Watch();
  #child: ChildProcess | undefined;

  constructor(command: readonly string[]) {
    this.#command = command;
    this.where = JSON.stringify(command);
  }

  async next(): Promise<Streams | undefined> {
    await this.drop(true);
    const child = await started(this.#command);
    child.on('error', () => this.#watch.changed());
    child.on('exit', () => this.#watch.changed());
    this.#child = child;
    return {
      input: child.stdout,
      output: child.stdin,
      end: () => child.stdin.end(),
      strayLines: true,
    };
  }

  async drop(_crash: boolean): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || !running(child)) return;
    process.kill(-child.pid, 'SIGKILL');
    await this.#watch.holds(() => !running(child), 5_000);
  }

  async exits(ms: number): Promise<number | 'signal' | undefined> {
    const child = this.#child;
    if (child === undefined || !(await this.#watch.holds(() => !running(child), ms))) return undefined;
    return child.exitCode ?? 'signal';
  }

  endInput(): void {
    this.#child?.stdin?.end();
  }

  async close(): Promise<void> {
    await this.drop(true);
  }
}

/** A command that cannot be started is no game that breaks a rule. */
async function started(command: readonly string[]): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  const [file = '', ...args] = command;
  try {
    const child = spawn(file, args, {
      // As the control API starts it.
      env: { ...process.env, GAME_BRIDGE: 'spawn' },
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    await once(child, 'spawn');
    return child;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`the command ${JSON.stringify(command)} could not be started: ${reason}`);
  }
}

function running(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

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
