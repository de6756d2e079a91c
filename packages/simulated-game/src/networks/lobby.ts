import type { RequestableVisibility } from '@steward/shared/lobby-visibility';

export interface Lobby {
  /** What an invite code carries. */
  readonly rawId: bigint;
  readonly visibility: RequestableVisibility;
}
