import type { RequestableVisibility } from '@steward/shared/wire-values';

export interface Lobby {
  /** What an invite code carries. */
  readonly rawId: bigint;
  readonly visibility: RequestableVisibility;
}
