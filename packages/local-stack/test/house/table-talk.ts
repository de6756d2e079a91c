import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosWorld } from '../chaos/chaos-world.ts';
import type { DiscordSide } from './discord-side.ts';
import { wrongsOf } from './told-once.ts';

/** Below the limit of writes from one address. */
const betweenMs = 1_000;

const gossip = /gossip (\d+)\.$/;
const annsLine = /^d(\d+)\.$/;

/** Numbered lines both ways: somebody on the farm says one now and then, and Ann in Discord says another. */
export class TableTalk implements AsyncDisposable {
  /** The last number that somebody on the farm has said. */
  gossip = 0;
  /** Of Ann's, which the farm has shown. */
  readonly shown: number[] = [];
  readonly #world: ChaosWorld;
  readonly #discord: DiscordSide;
  #stopped = false;
  readonly #talking: Promise<void>;

  constructor(world: ChaosWorld, discord: DiscordSide) {
    this.#world = world;
    this.#discord = discord;
    this.#talking = this.#talk();
  }

  /** The farm shows a line to those who play. */
  heard(message: string): void {
    const [, number] = annsLine.exec(message) ?? [];
    if (number !== undefined) this.shown.push(Number(number));
  }

  /** `lines`: what was said on the farm, as the bots there have heard it. */
  violations(lines: readonly string[]): readonly string[] {
    const said = lines.flatMap((line) => gossipOf(line) ?? []);
    return [...this.#discord.violations(said, gossipOf), ...wrongsOf('the farm', this.shown, [])];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#talking;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #talk(): Promise<void> {
    while (!this.#stopped) {
      this.#discord.say();
      await this.#gossip();
      await pause(betweenMs);
    }
  }

  /** A number is said once at the most, whatever becomes of it. */
  async #gossip(): Promise<void> {
    const { orders } = this.#world;
    const [, name] = /^ +(\w+) \(.*: playing /m.exec((await orders.show()) ?? '') ?? [];
    if (name === undefined) return;
    this.gossip += 1;
    await orders.order('say', name, `gossip ${this.gossip}.`);
  }
}

function gossipOf(line: string): number | undefined {
  const [, number] = gossip.exec(line) ?? [];
  return number === undefined ? undefined : Number(number);
}
