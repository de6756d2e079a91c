/** When a drain goes on to its end: after a countdown, once nobody is there, or when the day has ended and the game has saved. */
export const drainWhens = ['now', 'empty', 'day-end'] as const;

export type DrainWhen = (typeof drainWhens)[number];

/** Where a drain is. While it waits nothing of the day is lost by ending it. */
export const drainPhases = [
  'waiting',
  'counting',
  'leaving',
  'saving',
  'stopping',
  'starting',
  'stopped',
] as const;

export type DrainPhase = (typeof drainPhases)[number];

export const drainLimits = {
  /** How long it waits for its moment where nothing is said; then it counts down. */
  usualMinutes: { now: 0, empty: 240, 'day-end': 30 },
  mostMinutes: 24 * 60,
  /** What who is there may have to finish, where nothing is said. */
  usualSeconds: 60,
  mostSeconds: 3_600,
} as const;
