import { z } from 'zod';

/** Every WebSocket message, in both directions. A message without a payload omits the member, or has null there. */
export const envelope = z.looseObject({
  type: z.string(),
  payload: z.record(z.string(), z.unknown()).nullish(),
});
