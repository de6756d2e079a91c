/** The pace of all that leads to the invite codes, all in milliseconds, with the reason for each. */
export const inviteLimits = {
  /** Between two looks at the sidecar: how long a code can be shown after the sidecar knows that it is dead. */
  lookMs: 2_000,
  /** Chance adds up to this share, so that several servers do not look in step. */
  lookJitter: 0.1,
  /** Between two looks at how the game's files stand, which holds no code up. */
  filesMs: 10_000,
  /** Looks that news from the game brings forward are no closer than this. */
  lookAgainMs: 500,
  /** A change of what the lobby shall be, refused, is not asked again before this: the sidecar tries by itself. */
  putAgainMs: 5_000,
  /** Before a lobby is taken back that another farm has taken over again; grows up to the longest. */
  takenFirstMs: 10_000,
  takenLongestMs: 15 * 60_000,
  /** Between two attempts to have the game link its lobby; the second grows up to the longest. */
  linkFirstMs: 1_000,
  linkLongestMs: 15_000,
} as const;

/** A code that has died is gone from the answers within this of the sidecar's or the game's knowing: a look and its deadlines. */
export const withdrawnWithinMs = 12_000;

/**
 * Once the sidecar is logged in and the game has its lobby, both codes are there within this: a pause of the breaker, a
 * look, the lobby, the longest pause before a link, and the game's word.
 */
export const recoversWithinMs = 45_000;
