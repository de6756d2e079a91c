import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { shuttingDown } from '@steward/shared/problems/shutting-down';
import type { FastifyInstance } from 'fastify';

interface Stopping extends Pick<FastifyInstance, 'addHook'> {
  readonly server: Server;
}

/**
 * Once the server is told to stop, requests in flight are finished, and new ones, which can still come over connections
 * that are open, are refused.
 */
export function stopGracefully(server: Stopping, drainMs: number, lastWords: () => Promise<void>): void {
  const drain = new Drain(server.server, drainMs);
  server.addHook('preClose', async () => {
    drain.begin();
    // Answers without an end count as answered, and would be cut off.
    await lastWords();
    drain.waitForRequests();
  });
  // The listener is closed by now; some requests may have come in by another one.
  server.addHook('onClose', () => drain.over);
  server.addHook('onRequest', (_request, reply, done) => {
    if (!drain.begun) return done();
    reply.header('connection', 'close');
    done(shuttingDown('The server is stopping; try again soon'));
  });
}

/**
 * Waits for the requests in flight, and then cuts every connection: Node watches no timeouts of a server that is being
 * closed, so half a request, or an answer that nobody reads, would hold it for ever.
 */
class Drain {
  begun = false;
  readonly #listener: Server;
  readonly #ms: number;
  #inFlight = 0;
  #limit: NodeJS.Timeout | undefined;
  readonly #ended = Promise.withResolvers<void>();
  /** Fulfilled once nothing is in flight any more, or the time for it is up. */
  readonly over = this.#ended.promise;
  #wereLastWordsSaid = false;
  #isOver = false;

  constructor(listener: Server, ms: number) {
    this.#listener = listener;
    this.#ms = ms;
    // Before all other listeners: some requests are answered at once, and the end would be heard before the beginning.
    listener.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      this.#inFlight += 1;
      response.once('close', () => {
        this.#inFlight -= 1;
        this.#look();
      });
    });
    listener.on('connection', (socket: Socket) => {
      if (this.#isOver) socket.destroy();
    });
  }

  begin(): void {
    this.begun = true;
    this.#limit = setTimeout(() => this.#end(), this.#ms).unref();
  }

  waitForRequests(): void {
    this.#wereLastWordsSaid = true;
    this.#look();
  }

  #look(): void {
    if (this.#wereLastWordsSaid && this.#inFlight === 0) this.#end();
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#limit);
    this.#listener.closeAllConnections();
    this.#ended.resolve();
  }
}
