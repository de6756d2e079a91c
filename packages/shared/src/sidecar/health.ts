import { z } from 'zod';
import { timestamp } from '../timestamp.ts';

/** Where the platform session stands. */
export const sessionState = z.enum(['no-account']);

/** The sidecar's `GET /health`. It is liveness: 200 whenever the process can answer. */
export const sidecarHealth = z.object({
  status: z.literal('ok'),
  logged_in: z.boolean().meta({ description: 'Whether the sidecar holds a logged-in platform session' }),
  timestamp,
  session: z
    .object({
      state: sessionState,
      reason: z.string().meta({ description: 'Why the session is in this state' }),
      remedy: z.string().optional().meta({ description: 'What the operator can do about it' }),
    })
    .meta({ description: 'Where the platform session stands; never says whose it is' }),
});

export type SidecarHealth = z.infer<typeof sidecarHealth>;
