import { giveOrder } from '@steward/simulated-game/control/order-line';

/** A farm that stands still answers nobody. */
const patienceMs = 2_000;

/** Gives the farm orders as `npm run farm` does. */
export class FarmOrders {
  readonly #control: string;

  constructor(control: string) {
    this.#control = control;
  }

  /** What it prints, or why it does not. */
  async order(...words: readonly string[]): Promise<string> {
    const printed: string[] = [];
    await this.watch(words, (line) => printed.push(line)).catch((error: unknown) =>
      printed.push(String(error)),
    );
    return printed.join('\n');
  }

  async watch([order = '', ...words]: readonly string[], print: (line: string) => void): Promise<void> {
    await giveOrder(this.#control, order, words, print);
  }

  async show(): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    return Promise.race([this.order('show'), promise]).finally(() => clearTimeout(timer));
  }
}
