import type { SidecarHealth } from '@steward/shared/sidecar/health';

export type SessionStatus = SidecarHealth['session'];

/** The status of a sidecar that has no account to log in with. */
export const noAccount: SessionStatus = {
  state: 'no-account',
  reason: 'No platform account is known to this sidecar',
  remedy: 'This version cannot log in yet; until it can, players join by direct IP, which needs no account',
};
