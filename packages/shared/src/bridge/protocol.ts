import { z } from 'zod';

/**
 * Another major is another protocol and is refused. A minor only adds members, methods and values; both sides ignore
 * what they do not know.
 */
export const protocolVersion = { major: 1, minor: 1 } as const;

export const protocolVersionSchema = z.object({ major: z.int().min(0), minor: z.int().min(0) });

/** The longest line in either direction, its line feed not counted. Whole sections of a full farm stay far below. */
export const frameLimitBytes = 1024 * 1024;

/** What both sides must keep to, in milliseconds. */
export const bridgeTiming = {
  /** A stream on which no `hello` has come by then is closed. */
  hello: 10_000,
  /** The same where the control API starts the game, which loads for a while before it speaks. */
  firstHello: 120_000,
  /** A running game loop says `tick` at least this often. */
  tick: 1_000,
  /** Without a tick for this long the game counts as frozen. */
  frozen: 5_000,
  /** The whole state follows the answer to `hello` within this time. */
  wholeState: 5_000,
  /** A command that is not claimed by then is void for ever. */
  claim: 5_000,
  /** A question of the game is answered by then. */
  question: 10_000,
  /** `journal` is answered by then. */
  journal: 5_000,
  /** What else the game is asked is answered by then. */
  asked: 10_000,
  /** A game that has lost its connection dials again within this time. */
  redial: 5_000,
} as const;

/** How many applied commands a game's journal holds at least. */
export const journalLength = 1_000;

/**
 * How the game stands. `starting`, `waiting`: none was there yet. `live`: it ticks. `slow`, `frozen`: connected, but the
 * ticks are late or have stopped. `gone`, `restarting`: there was one. `stopped`: the bridge itself is
 * stopping, or has the game away for a while.
 */
export const linkStatus = z.enum([
  'starting',
  'waiting',
  'live',
  'slow',
  'frozen',
  'gone',
  'restarting',
  'stopped',
]);

export type LinkStatus = z.infer<typeof linkStatus>;
