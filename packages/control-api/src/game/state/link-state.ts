import type { LinkStatus } from '@steward/shared/bridge/link-status';

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
