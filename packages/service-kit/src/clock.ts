export interface Timer {
  cancel(): void;
}

/** Time as a service sees it; a test injects one that it moves, or one that runs faster. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back, and only differences mean something. */
  now(): number;
  /** The time of day, for what people and other machines read. */
  date(): Date;
  after(ms: number, action: () => void): Timer;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  after(ms, action) {
    const timeout = setTimeout(action, ms);
    return { cancel: () => clearTimeout(timeout) };
  },
};

/** Waits so long, or until the signal comes; whoever needs to know which of them it was asks the signal. */
export function pause(ms: number, clock: Pick<Clock, 'after'>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const over = (): void => {
      timer.cancel();
      // One signal may outlive thousands of pauses.
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = clock.after(ms, over);
    signal.addEventListener('abort', over);
  });
}

/** What is promised, or what `tooLate` makes once it has taken so long; what comes of it after that is dropped. */
export function settledWithin<T>(
  promise: Promise<T>,
  ms: number,
  clock: Pick<Clock, 'after'>,
  tooLate: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => reject(tooLate()));
    promise.then(resolve, reject).finally(() => timer.cancel());
  });
}

/** Does something again and again, each time so long after the last; returns what ends it. */
export function every(clock: Pick<Clock, 'after'>, ms: number, action: () => void): () => void {
  let isEnded = false;
  let next: Timer | undefined;
  const later = (): void => {
    next = clock.after(ms, () => {
      action();
      if (!isEnded) later();
    });
  };
  later();
  return () => {
    isEnded = true;
    next?.cancel();
  };
}

export interface BackoffSettings {
  readonly firstMs: number;
  readonly factor: number;
  readonly longestMs: number;
  /** What went well for this long was well: the next pause is the first one again. */
  readonly steadyMs: number;
}

/** Pauses that grow, each shortened by up to a half at random so that several services do not start in step. */
export class Backoff {
  readonly #settings: BackoffSettings;
  readonly #random: () => number;
  #next: number;

  constructor(settings: BackoffSettings, random: () => number) {
    this.#settings = settings;
    this.#random = random;
    this.#next = settings.firstMs;
  }

  /** The pause before the next try of what went well for `steadyForMs`; 0 where it never did. */
  pause(steadyForMs: number): number {
    const { factor, firstMs, longestMs, steadyMs } = this.#settings;
    if (steadyForMs > 0 && steadyForMs >= steadyMs) this.#next = firstMs;
    const full = this.#next;
    this.#next = Math.min(longestMs, full * factor);
    return Math.round(full * (1 - this.#random() / 2));
  }
}
