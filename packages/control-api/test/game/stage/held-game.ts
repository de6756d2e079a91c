import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hello } from './stage.ts';

/** A game that dials in to a running service, and keeps a command until it is told what to answer. */
export class HeldGame {
  /** Resolves when a command has come. */
  readonly command: Promise<void>;
  readonly #socket: Socket;
  readonly #welcomed: Promise<void>;
  #id: unknown;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const command = Promise.withResolvers<void>();
    const welcomed = Promise.withResolvers<void>();
    this.command = command.promise;
    this.#welcomed = welcomed.promise;
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', (line) => {
      const message: { id?: unknown; method?: string } = JSON.parse(line);
      if (message.method === undefined) welcomed.resolve();
      else {
        this.#id = message.id;
        command.resolve();
      }
    });
    this.#say(hello);
  }

  /** Resolves when the service knows the game. */
  static async dial(stateDirectory: string): Promise<HeldGame> {
    const socket = connect(join(stateDirectory, 'game.sock'));
    await once(socket, 'connect');
    const game = new HeldGame(socket);
    await game.#welcomed;
    return game;
  }

  refuse(message: string): void {
    this.#say({ jsonrpc: '2.0', id: this.#id, result: { outcome: 'refused', code: 'busy', message } });
  }

  #say(document: object): void {
    this.#socket.write(`${JSON.stringify(document)}\n`);
  }
}
