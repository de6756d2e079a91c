import { key } from '../chaos/programs.ts';
import { drainedFarm } from '../stage/drained-farm.ts';
import type { PageFarm } from './open-page.ts';

type Farm = Awaited<ReturnType<typeof drainedFarm>>;

/** Players have so long to go where a service is told to stop. */
const stopDrainSeconds = '1';

/** Other farms of the same people: services of their own, which the page shows beside its own farm. */
export class Neighbours implements AsyncDisposable {
  restarts = 0;
  readonly #farms: readonly Farm[];
  readonly #origins: readonly string[];
  readonly #stack: AsyncDisposableStack;

  private constructor(farms: readonly Farm[], origins: readonly string[], stack: AsyncDisposableStack) {
    this.#farms = farms;
    this.#origins = origins;
    this.#stack = stack;
  }

  static async open(origins: readonly string[], page: string): Promise<Neighbours> {
    await using opening = new AsyncDisposableStack();
    const farms: Farm[] = [];
    // One after the other, as one that starts beside one that fails would be closed by nobody.
    for (const origin of origins) {
      const farm = await drainedFarm({
        DASHBOARD_PORT: new URL(origin).port,
        API_ALLOWED_ORIGINS: page,
        STOP_DRAIN_SECONDS: stopDrainSeconds,
      });
      farms.push(opening.use(farm));
    }
    await Promise.all(farms.map((farm) => farm.open()));
    return new Neighbours(farms, origins, opening.move());
  }

  get forThePage(): readonly PageFarm[] {
    return this.#origins.map((origin) => ({ origin, key }));
  }

  /** One after the other, so that never more than one is away. */
  async restartInTurn(): Promise<void> {
    for (const farm of this.#farms) {
      const before = await farm.now();
      await farm.stop('SIGTERM');
      await farm.start();
      await farm.open();
      const now = await farm.now();
      if (now < before) throw new Error(`a neighbour was at ${before}, and is at ${now} after a restart`);
      this.restarts += 1;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack[Symbol.asyncDispose]();
  }
}
