import type { ChaosWorld } from '../chaos/chaos-world.ts';
import type { Observer } from '../chaos/observer.ts';
import type { Players } from '../chaos/players.ts';
import type { Codes } from '../chaos/way-truth.ts';
import type { Load } from './load.ts';

/** Between two storms: everybody gets in, everybody is heard, strangers are kept out, and the farm saves. */
export class Peace {
  heard = 0;
  readonly #world: ChaosWorld;
  readonly #observer: Observer;
  readonly #players: Players;
  readonly #load: Load;

  constructor(world: ChaosWorld, observer: Observer, players: Players, load: Load) {
    this.#world = world;
    this.#observer = observer;
    this.#players = players;
    this.#load = load;
  }

  async reign(codes: Codes, changesDoors: boolean): Promise<void> {
    await this.#players.leaveAll();
    await this.#players.comeInPeace(codes);
    await this.#speak();
    await this.#players.leaveAll();
    await this.#players.intrude(codes);
    if (changesDoors) await this.#players.changeDoors(codes);
    await this.#world.orders.order('save');
    await this.#observer.nextLook();
  }

  /** Someone on the farm says something, and every bot hears it. */
  async #speak(): Promise<void> {
    const { orders } = this.#world;
    const [, name] = /^ +(Player\d+) \(.*: playing /m.exec(await orders.order('show')) ?? [];
    if (name === undefined) throw new Error('nobody plays who could speak');
    this.heard += 1;
    const text = `calm ${this.heard}`;
    await this.#load.everyoneHears(text, `${name}: ${text}`, () => orders.order('say', name, text));
  }
}
