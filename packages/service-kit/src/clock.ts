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
