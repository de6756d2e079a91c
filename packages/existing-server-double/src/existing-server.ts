import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from '@steward/service-kit/http/node-http';
import { ChatSockets } from './chat/chat-sockets.ts';
import { ExistingFarm } from './farm/existing-farm.ts';
import { type ThreadBudgets, threadBudgets } from './farm/game-thread.ts';
import { dispatcher } from './http/dispatch.ts';
import { Exchange } from './http/exchange.ts';

export interface ExistingServerOptions {
  readonly host?: string;
  readonly port?: number;
  /** Empty: nobody is asked. */
  readonly key?: string;
  /** How often the reads' snapshot is made anew. */
  readonly snapshotMs?: number;
  readonly windowMs?: number;
  readonly budgets?: Partial<ThreadBudgets>;
}

const secondMs = 1_000;
const tickMs = 16;
const authenticationWindowMs = 10_000;

/** The existing server, running: its farm is at hand, and it can freeze and vanish as the real one does. */
export class ExistingServer implements AsyncDisposable {
  readonly farm = new ExistingFarm();
  readonly chat: ChatSockets;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #timers: NodeJS.Timeout[];

  private constructor(options: ExistingServerOptions) {
    const { key = '', snapshotMs = secondMs } = options;
    const { windowMs = authenticationWindowMs } = options;
    const budgets = { ...threadBudgets, ...options.budgets };
    this.chat = new ChatSockets({ farm: this.farm, key, windowMs, budgetMs: budgets.chatMs });
    const dispatch = dispatcher({ farm: this.farm, key, startedAt: new Date(), budgets });
    this.#server = createServer((request, response) => void dispatch(new Exchange(request, response)));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('upgrade', (request, socket, head) => {
      if (new URL(request.url ?? '/', 'http://double').pathname === '/ws')
        this.chat.upgrade(request, socket, head);
      else socket.destroy();
    });
    this.#timers = [
      setInterval(() => this.farm.thread.tick(), tickMs),
      setInterval(() => this.farm.publish(), snapshotMs),
    ];
    this.farm.thread.tick();
    this.farm.publish();
  }

  static async start(options: ExistingServerOptions = {}): Promise<ExistingServer> {
    const { host = '127.0.0.1', port = 0 } = options;
    const server = new ExistingServer(options);
    server.#server.listen(port, host);
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Ends without a word to anybody, as the real one does. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.chat.drop();
    for (const socket of this.#sockets) socket.destroy();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}
