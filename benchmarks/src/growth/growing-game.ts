import { once } from 'node:events';
import { connect } from 'node:net';
import { World } from '@steward/bridge-conformance/minimal-game/world';
import { JsonLines } from '@steward/bridge-conformance/wire/json-lines';

const tickMs = 500;
const methodNotFound = -32_601;
const firstFarmhand = 7_000_000_000n;

/** The state of a small farm, of which a measurement replaces sections. */
type Sections = Partial<World['state']>;

/** A game that says what a measurement wants it to, over the control API's socket. */
export class GrowingGame {
  readonly #lines: JsonLines;
  readonly #waiting = new Map<string, PromiseWithResolvers<Record<string, unknown>>>();
  readonly #ticking: NodeJS.Timeout;
  readonly #lost = Promise.withResolvers<never>();
  readonly #ended: Promise<unknown>;
  #requests = 0;
  #ticks = 0;

  private constructor(socket: ReturnType<typeof connect>) {
    this.#ended = new Promise((resolve) => {
      socket.once('close', resolve);
    });
    this.#lines = new JsonLines(
      { input: socket, output: socket, end: () => socket.end() },
      {
        line: (text) => this.#read(text),
        ended: () =>
          this.#lost.reject(
            new Error('a section is longer than the 1 MiB that a line of the game bridge may have'),
          ),
      },
    );
    this.#lost.promise.catch(() => {});
    this.#ticking = setInterval(() => {
      this.#ticks += 1;
      this.tell('tick', { count: this.#ticks });
    }, tickMs);
  }

  static async dial(path: string): Promise<GrowingGame> {
    const socket = connect({ path });
    await once(socket, 'connect');
    const game = new GrowingGame(socket);
    const { farm, state } = new World({}, undefined);
    await game.ask('hello', {
      protocol: { major: 1, minor: 0 },
      game: { name: 'Growing game', version: '1.0.0' },
      capabilities: [],
      farm,
    });
    game.push(state);
    return game;
  }

  push(sections: Sections): void {
    this.tell('state', sections);
  }

  tell(method: string, params: object): void {
    this.#lines.send({ jsonrpc: '2.0', method, params });
  }

  /** The result; throws what the control API objects, and when the bridge is closed. */
  ask(method: string, params: object): Promise<Record<string, unknown>> {
    this.#requests += 1;
    const id = String(this.#requests);
    const answer = Promise.withResolvers<Record<string, unknown>>();
    this.#waiting.set(id, answer);
    this.#lines.send({ jsonrpc: '2.0', id, method, params });
    return this.orLost(answer.promise);
  }

  /** What is waited for, unless the bridge is closed before. */
  orLost<T>(awaited: Promise<T>): Promise<T> {
    return Promise.race([awaited, this.#lost.promise]);
  }

  async close(): Promise<void> {
    clearInterval(this.#ticking);
    this.#lines.end();
    await this.#ended;
  }

  #read(text: string): void {
    const { id, method, result, error } = JSON.parse(text) as {
      id: string;
      method?: string;
      result?: Record<string, unknown>;
      error?: { message: string };
    };
    if (method !== undefined) {
      this.#lines.send({ jsonrpc: '2.0', id, error: { code: methodNotFound, message: 'not here' } });
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result ?? {});
    else waiting?.reject(new Error(`the control API objects: ${error.message}`));
  }
}

/** The id of the farmhand with this number: as long as those of the game. */
export function farmhandId(number: number): string {
  return (firstFarmhand + BigInt(number)).toString();
}
