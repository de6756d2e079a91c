export interface Timer {
  cancel(): void;
}

/** Time as the bridge needs it: durations by a clock that never jumps, dates only to be shown. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): number;
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
