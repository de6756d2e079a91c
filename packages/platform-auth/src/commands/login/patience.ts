import { CommandFailure } from '../run/command-failure.ts';
import type { Interruption } from '../run/interruption.ts';

/** A question that nobody answers for this long has nobody in front of it: a build with a terminal of its own, say. */
export const answerLimitMs = 10 * 60_000;

/** What ends a question besides its answer. */
export class Patience {
  readonly #interruption: Interruption;
  readonly #limitMs: number;

  constructor(interruption: Interruption, limitMs = answerLimitMs) {
    this.#interruption = interruption;
    this.#limitMs = limitMs;
  }

  readonly interrupt = (): void => this.#interruption.byKey();

  /**
   * Asks with a signal that ends the question. `ask` answers undefined when it was ended, by the signal or by the person;
   * then this throws, unless it was `until` that ended it.
   */
  async ask<T>(
    ask: (end: AbortSignal) => Promise<T | undefined>,
    until?: AbortSignal,
  ): Promise<T | undefined> {
    const { signal } = this.#interruption;
    const late = AbortSignal.timeout(this.#limitMs);
    const end = new AbortController();
    const ending = (): void => end.abort();
    const ends = [signal, late, ...(until === undefined ? [] : [until])];
    for (const each of ends) each.addEventListener('abort', ending);
    if (ends.some(({ aborted }) => aborted)) ending();
    // A prompt that has its answer must not hear of any end: it would write on a screen that is no longer its own.
    const answer = await ask(end.signal).finally(() => {
      for (const each of ends) each.removeEventListener('abort', ending);
    });
    if (answer !== undefined || until?.aborted) return answer;
    if (late.aborted)
      throw new CommandFailure('failure', `Nobody answered for ${this.#limitMs / 60_000} minutes`);
    this.interrupt();
    throw signal.reason;
  }
}
