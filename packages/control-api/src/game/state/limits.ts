import { bridgeTiming, frameLimitBytes } from '@steward/shared/bridge/protocol';

/** Every limit of the bridge that is not a mode's own, with the reason for its size. */
export const bridgeLimits = {
  frameBytes: frameLimitBytes,
  /** A game that leaves more than this unread has stopped reading. */
  unreadBytes: 4 * 1024 * 1024,
  /** Requests of the game that may be in hand at once, claims apart; a farm of hundreds asks a few questions. */
  requestsInHand: 64,
  /** Lines that cannot be read, in one connection, before it is not worth keeping. */
  badLines: 100,
  /** Lines taken within a second; a flood beyond is left in the socket, so that everybody else is served. */
  linesPerSecond: 5_000,
  /** Commands that may wait for the game at once. */
  commandsInHand: 256,
  /** Without a tick for this long the game is called slow. */
  slowMs: 2_000,
  frozenMs: bridgeTiming.frozen,
  /** A game that has ticked in time for this long is told to have recovered; one that stumbles on is told of once. */
  steadyMs: 10_000,
  claimMs: bridgeTiming.claim,
  questionMs: bridgeTiming.question,
  journalMs: bridgeTiming.journal,
  askedMs: bridgeTiming.asked,
  /** Between two looks into a journal that still says `working`. */
  journalAgainMs: 1_000,
  /** What a caller is told to wait while there is no game. */
  retryAfterMs: 5_000,
} as const;

export type BridgeLimits = { readonly [Name in keyof typeof bridgeLimits]: number };
