/** Every limit of the way to the sidecar, with the reason for its size. What ends in Ms is milliseconds. */
export const sidecarLimits = {
  /** For a look at its health or lobby. Neither makes it ask anybody, so a slow answer is a sick sidecar. */
  lookMs: 4_000,
  lookOnceMs: 2_000,
  /** Less than the ten seconds that a game waits for its ticket; within them a login that is under way may end. */
  ticketMs: 8_000,
  /** The sidecar asks the platform before it answers, and gives up by itself sooner than that. */
  putMs: 20_000,
  /** For the beginning of a search for a newer build. */
  lookForBuildMs: 10_000,
  /** A newer build is put in place by renaming some thousand files; nobody plays meanwhile. */
  publishMs: 120_000,
  /** Attempts of one request; further ones are the next request's. */
  attempts: 3,
  /** Far above any answer; whatever is longer does not come from a sidecar. */
  answerBytes: 64 * 1024,
  /** As much of a reason as is passed on. */
  reasonCharacters: 500,
} as const;

/** Pauses between the attempts of one request. */
export const retryPauses = {
  firstMs: 200,
  factor: 2,
  longestMs: 1_000,
  steadyMs: Number.POSITIVE_INFINITY,
} as const;
