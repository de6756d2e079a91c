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

export interface LinkState {
  readonly status: LinkStatus;
  readonly since: Date;
  readonly why: string;
  /** Where there is more to say than to look at the game. */
  readonly remedy?: string;
}

/** Whether there is a game at the other end, however slow it is. */
export function isConnected(status: LinkStatus): boolean {
  return status === 'live' || status === 'slow' || status === 'frozen';
}
