import { connect } from 'node:net';
import type { WholeState } from '@steward/shared/bridge/state';
import { overSocket, ScriptedGame } from '@steward/testing/game/scripted-game';

/** Players, and farmhands, that nothing limits: as many as the page is tried with. */
export const largestFarm = 200;

const tickMs = 500;
const firstFarmhand = 7_000_000_000n;

/** A game that says what a measurement wants it to, and does what it can, over the control API's socket. */
export class GrowingGame {
  readonly #game = new ScriptedGame({
    name: 'Growing game',
    capabilities: ['setTime', 'setRenderRate'],
    tickMs,
  });
  readonly #lost = Promise.withResolvers<never>();
  readonly #ended = Promise.withResolvers<void>();
  #socket: ReturnType<typeof connect> | undefined;

  private constructor() {
    this.#lost.promise.catch(() => {});
  }

  static async dial(path: string): Promise<GrowingGame> {
    const game = new GrowingGame();
    game.#socket = connect({ path });
    const answer = await game.#game.connect(overSocket(game.#socket), () => {
      game.#lost.reject(
        new Error('a section is longer than the 1 MiB that a line of the game bridge may have'),
      );
      game.#ended.resolve();
    });
    if (answer.kind !== 'result') throw new Error(`the control API objects: ${answer.message}`);
    return game;
  }

  push(sections: Partial<WholeState>): void {
    this.#game.tell(sections);
  }

  happens(event: object): void {
    this.#game.happens(event);
  }

  /** The result; throws what the control API objects, and when the bridge is closed. */
  async ask(method: string, params: object): Promise<Record<string, unknown>> {
    const answer = await this.orLost(this.#game.ask(method, params));
    if (answer.kind !== 'result') throw new Error(`the control API objects: ${answer.message}`);
    return Object(answer.result);
  }

  /** What is waited for, unless the bridge is closed before. */
  orLost<T>(awaited: Promise<T>): Promise<T> {
    return Promise.race([awaited, this.#lost.promise]);
  }

  async close(): Promise<void> {
    this.#socket?.end();
    await this.#ended.promise;
  }
}

/** The id of the farmhand with this number: as long as those of the game. */
export function farmhandId(number: number): string {
  return (firstFarmhand + BigInt(number)).toString();
}
