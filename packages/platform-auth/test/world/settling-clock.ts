import type { Clock, Timer } from '@steward/service-kit/clock';
import { Changes } from '@steward/testing/changes';
import { ManualClock } from '@steward/testing/manual-clock';

const stepMs = 1_000;

/** A clock for whoever does something at each of its timers and then sets the next: time waits until they have. */
export class SettlingClock implements Clock {
  readonly #clock = new ManualClock(new Date());
  readonly #changes = new Changes();
  /** Of timers that came due: each is to be set anew. */
  #owed = 0;

  readonly #setOnce: ReadonlySet<number>;

  /** `setOnce`: timers of these lengths nobody sets again. */
  constructor(...setOnce: readonly number[]) {
    this.#setOnce = new Set(setOnce);
  }

  now(): number {
    return this.#clock.now();
  }

  date(): Date {
    return this.#clock.date();
  }

  after(ms: number, action: () => void): Timer {
    const isOne = !this.#setOnce.has(ms);
    if (isOne && this.#owed > 0) {
      this.#owed -= 1;
      this.#changes.told();
    }
    return this.#clock.after(ms, () => {
      if (isOne) this.#owed += 1;
      action();
    });
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.#clock.advance(stepMs);
      const settled = () => (this.#owed === 0 ? true : undefined);
      await this.#changes.until(settled, { missing: () => `${this.#owed} timers were not set again` });
    }
  }
}
