import type { Clock } from '@steward/service-kit/clock';

/** What the game is asked for once, for all who ask meanwhile and within a short time: it answers in its tick, and does nothing else then. */
export class RecentAnswer<Answer> {
  readonly #ask: () => Promise<Answer>;
  readonly #standsMs: number;
  readonly #clock: Pick<Clock, 'now'>;
  #last: { readonly answer: Promise<Answer>; until: number } | undefined;

  constructor(ask: () => Promise<Answer>, standsMs: number, clock: Pick<Clock, 'now'>) {
    this.#ask = ask;
    this.#standsMs = standsMs;
    this.#clock = clock;
  }

  /** Rejects with why there is none; that does not stand, and whoever comes next asks again. */
  get(): Promise<Answer> {
    if (this.#last !== undefined && this.#clock.now() < this.#last.until) return this.#last.answer;
    const last = { answer: this.#ask(), until: Number.POSITIVE_INFINITY };
    this.#last = last;
    last.answer.then(
      () => {
        last.until = this.#clock.now() + this.#standsMs;
      },
      () => {
        last.until = 0;
      },
    );
    return last.answer;
  }

  /** It is another by now, also where it is still on its way. */
  forget(): void {
    this.#last = undefined;
  }
}
