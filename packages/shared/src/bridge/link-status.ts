import { z } from 'zod';

/**
 * How the game stands. `starting`, `waiting`: none was there yet. `live`: it ticks. `slow`, `frozen`: connected, but the
 * ticks are late or have stopped. `gone`, `restarting`: there was one. `stopped`: the bridge itself is stopping.
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
