import { bridgeTiming } from '@steward/shared/bridge/protocol';

/** How long things may take, in milliseconds. Generous: a game on a busy machine is slow, not wrong. */
export interface Patience {
  /** For the first `hello` of a game that has to load. */
  readonly startsMs: number;
  /** For whatever must come; for an outcome no less than the page gives its command. */
  readonly comesMs: number;
  /** For the exit of a game that has to save first. */
  readonly exitsMs: number;
  /** For whatever must not come. */
  readonly staysAwayMs: number;
  /** For what the control API gives up on: there, whatever comes later has no effect. */
  readonly limits: { readonly [Name in 'hello' | 'claim' | 'frozen' | 'journal' | 'asked']: number };
}

export const usualPatience: Patience = {
  startsMs: bridgeTiming.firstHello,
  comesMs: 15_000,
  // As long as GAME_STOP_TIMEOUT gives it, where nobody sets that.
  exitsMs: 30_000,
  staysAwayMs: 1_500,
  limits: bridgeTiming,
};

/** The game did something else than the page says. The text tells what. */
export class RuleBroken extends Error {}

/** The rule cannot be checked here. The text tells why. */
export class NotChecked extends Error {}

/** Waits for a condition that others bring about and announce with `changed`. */
export class Watch {
  readonly #waiting = new Set<() => void>();

  changed(): void {
    for (const look of [...this.#waiting]) look();
  }

  /** Whether the condition came true in time. */
  holds(condition: () => boolean, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (held: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(held);
      };
      const look = () => {
        if (condition()) end(true);
      };
      const timer = setTimeout(() => end(false), ms);
      this.#waiting.add(look);
      look();
    });
  }
}
