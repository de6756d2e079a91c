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

  /** What everybody has heard last. */
  get said(): string {
    return `calm number ${this.heard}.`;
  }

  async reign(codes: Codes, changesDoors: boolean): Promise<void> {
    await this.#players.leaveAll();
    await this.#players.comeInPeace(codes);
    await this.#speak();
    await this.#players.leaveAll();
    await this.#players.intrude(codes);
    if (changesDoors) await this.#players.changeDoors(codes);
    // Where a villager is there the end of the day saves, some seconds later.
    await this.#world.orders.order('save');
    await this.#observer.nextLook();
  }

  /** Someone on the farm says something, and every bot hears it. */
  async #speak(): Promise<void> {
    this.heard += 1;
    const text = this.said;
    await this.#load.everyoneHears(text, () => this.#say(text));
  }

  /** Somebody may leave just now, as a villager does; whoever is there says it. */
  async #say(text: string): Promise<void> {
    const { orders } = this.#world;
    const refusals: string[] = [];
    for (const [, name = ''] of (await orders.order('show')).matchAll(/^ +(\w+) \(.*: playing /gm)) {
      const refusal = await orders.order('say', name, text);
      if (refusal === '') return;
      refusals.push(refusal);
    }
    throw new Error(`nobody could say “${text}”: ${refusals.join('; ')}`);
  }
}
