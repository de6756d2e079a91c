/** Time as the sidecar sees it; tests inject one that they move, or one that runs faster. */
export interface Clock {
  /** Milliseconds that never go backwards; only differences mean something. */
  now(): number;
  /** The time of day, for what people and other machines read. */
  date(): Date;
  /** Calls `action` once, later, unless the returned function was called before. */
  after(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  after: (ms, action) => {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};
