/**
 * How the game stands. `starting`, `waiting`: none was there yet. `live`: it ticks. `slow`, `frozen`: connected, but the
 * ticks are late or have stopped. `gone`, `restarting`: there was one. `stopped`: the bridge itself is stopping.
 */
export type LinkStatus =
  | 'starting'
  | 'waiting'
  | 'live'
  | 'slow'
  | 'frozen'
  | 'gone'
  | 'restarting'
  | 'stopped';

export interface LinkState {
  readonly status: LinkStatus;
  readonly since: Date;
  readonly why: string;
}

/** A game that can be given commands, however slow it is. */
export function isConnected(status: LinkStatus): boolean {
  return status === 'live' || status === 'slow' || status === 'frozen';
}
