import type { Readable } from 'node:stream';
import { CommandFailure } from '../run/command-failure.ts';
import type { Interruption } from '../run/interruption.ts';
import type { Screen } from '../run/screen.ts';

/** The input side of a terminal. */
export interface Keyboard extends Readable {
  setRawMode(raw: boolean): unknown;
}

/** What Ctrl-C and Ctrl-D send where the terminal does not take them for signals. */
const interrupting = ['\u0003', '\u0004'];

/** While nothing is asked: keys are swallowed, so that they do not end up between the lines on the screen. */
export async function swallowKeys<T>(
  keyboard: Keyboard,
  interrupt: () => void,
  work: () => Promise<T>,
): Promise<T> {
  const onKeys = (keys: Buffer | string): void => {
    if (interrupting.some((key) => String(keys).includes(key))) interrupt();
  };
  keyboard.setRawMode(true);
  keyboard.on('data', onKeys).on('end', interrupt).resume();
  try {
    return await work();
  } finally {
    keyboard.off('data', onKeys).off('end', interrupt).pause();
    keyboard.setRawMode(false);
  }
}

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

/** What questions are asked with. */
export interface TerminalParts {
  readonly keyboard: Keyboard;
  readonly screen: Screen;
  readonly patience: Patience;
}
