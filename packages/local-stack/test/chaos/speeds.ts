import { recoversWithinMs, withdrawnWithinMs } from '@steward/control-api/invites/limits';

/** How many times faster than in earnest each of them waits. */
export const speeds = { sidecar: 200, controlApi: 10, farm: 100 } as const;

/** How often the sidecar looks whether the platform has closed its lobby, of which nobody tells it. */
const reassertMs = 60_000 / speeds.sidecar;

/** What is promised, as it is written down for operators; the pauses of this run are shorter, the limits are not. */
export const promised = {
  recoversMs: recoversWithinMs,
  withdrawnMs: withdrawnWithinMs + reassertMs,
} as const;
