import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { ChaosWorld } from './chaos-world.ts';
import { OwnersModel } from './owners-model.ts';

const lookAgainMs = 20;

const happening = z.discriminatedUnion('type', [
  z.object({ type: z.literal('joined'), farmhandId: z.string(), connectionId: z.string() }),
  z.object({ type: z.literal('named'), farmhandId: z.string(), customised: z.boolean() }),
  z.object({ type: z.literal('left'), farmhandId: z.string() }),
  z.object({ type: z.literal('chat'), message: z.string() }),
  z.object({ type: z.literal('crashed') }),
]);

/** Watches all that happens on the farm, through all its lives. */
export class FarmEye {
  readonly owners = new OwnersModel();
  /** Told of each line that players see. */
  heard: (message: string) => void = () => {};
  readonly #world: ChaosWorld;
  #isOpen = false;
  #stopped = false;

  constructor(world: ChaosWorld) {
    this.#world = world;
    void this.#watch();
  }

  /** Nobody joins a farm that is not watched. */
  async open(): Promise<void> {
    while (!this.#isOpen && !this.#stopped) await pause(lookAgainMs);
  }

  stop(): void {
    this.#stopped = true;
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      const life = this.#world.orders.watch(['follow'], (line) => this.#happened(line));
      const over = life.catch(() => {});
      // Whoever answers this has taken the order before it.
      const show = await this.#world.orders.show();
      this.#isOpen = show !== undefined && isShown(show);
      await over;
      const was = this.#isOpen;
      this.#isOpen = false;
      if (was) this.owners.wentBack(this.#world.save);
      await pause(lookAgainMs);
    }
  }

  #happened(line: string): void {
    const read = happening.safeParse(JSON.parse(line));
    if (!read.success) return;
    const { data } = read;
    if (data.type === 'joined') this.owners.joined(data.farmhandId, data.connectionId);
    else if (data.type === 'named') {
      if (data.customised) this.owners.made(data.farmhandId);
    } else if (data.type === 'left') this.owners.left(data.farmhandId);
    else if (data.type === 'chat') this.heard(data.message);
    else this.owners.wentBack(this.#world.save);
  }
}

export function isShown(text: string): boolean {
  return text.startsWith('Farm ');
}
