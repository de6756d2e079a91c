import type { LinkStatus } from './link-state.ts';

/** Whether there is a game at the other end, however slow it is. */
export function isConnected(status: LinkStatus): boolean {
  return status === 'live' || status === 'slow' || status === 'frozen';
}
