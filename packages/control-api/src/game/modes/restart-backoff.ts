import type { BackoffSettings } from '@steward/service-kit/backoff';

/** Between the end of a game that is started here and its next start. */
export const restartBackoff: BackoffSettings = {
  firstMs: 1_000,
  factor: 2,
  longestMs: 60_000,
  steadyMs: 60_000,
};
