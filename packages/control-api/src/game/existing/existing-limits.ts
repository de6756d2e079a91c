import { bridgeLimits } from '../state/limits.ts';

/** Every limit of the way to the existing server, with the reason for its size. What ends in Ms is milliseconds. */
export const existingLimits = {
  /** Its reads come from a snapshot and never wait for the game. */
  readMs: 5_000,
  /** Its long-polls end after ten seconds by themselves. */
  longPollMs: 15_000,
  /** Longer than the longest that it waits for its game's thread, so that its own word on that is heard. */
  writeMs: 20_000,
  /** The same of a world, of which it gives up the making after two minutes by itself. */
  worldMs: 130_000,
  /** How often it is asked whether its game still ticks. */
  healthMs: 2_000,
  /** How often the sections that have no long-poll are read. */
  slowReadMs: 5_000,
  /** What a line to say waits for a connection that is being made; it is refused then, and nothing was said. */
  chatReadyMs: 2_000,
  /** It drops a chat line silently when its game's thread has not come to it in this time. */
  chatDropMs: 5_000,
  /** A pong that comes this much before the drop proves that the line before it was said. */
  chatMarginMs: 500,
  /** It closes sockets that say nothing at all; its own bots ping as often. */
  chatPingMs: 30_000,
  /** Far above its longest list; whatever is longer does not come from it. */
  answerBytes: 4 * 1024 * 1024,
  /** The same of what its chat's connection says at once. */
  chatFrameBytes: 256 * 1024,
  /** What it says beyond that within a second is left in the connection. */
  chatFramesPerSecond: bridgeLimits.linesPerSecond,
  /** What a line may take until the bridge stops waiting for the pong after it. */
  chatAnswerMs: 8_000,
} as const;

/** Between two looks for a server that is away. A look costs it nothing, and its return should be seen soon. */
export const existingBackoff = { firstMs: 1_000, factor: 2, longestMs: 5_000, steadyMs: 60_000 } as const;

export type ExistingLimits = { readonly [Name in keyof typeof existingLimits]: number };
