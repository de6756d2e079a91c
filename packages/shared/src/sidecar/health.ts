import { z } from 'zod';
import { troubleShape } from '../problems/trouble.ts';
import { heardAs, timestamp } from '../wire-values.ts';
import { gameUpdate, gameUpdateState } from './download.ts';

/** Where the platform session stands. */
export const sessionState = z.enum([
  'no-account',
  'paced',
  'logging-in',
  'logged-in',
  'retrying',
  'rate-limited',
  'replaced',
  'credentials-refused',
]);

export type SessionStateName = z.infer<typeof sessionState>;

export const sessionStatus = z
  .object({
    state: sessionState,
    ...troubleShape('Why the session is in this state', 'What the operator can do about it'),
    since: timestamp.meta({ description: 'When it entered this state' }),
    next_retry: timestamp.optional().meta({ description: 'When the sidecar tries again by itself' }),
    token_days_remaining: z
      .number()
      .optional()
      .meta({ description: 'Days until the refresh token in use expires; negative once it has' }),
    warnings: z.array(z.string()).optional().meta({
      description: 'What to look at meanwhile, such as a token near its end or a session file set aside',
    }),
  })
  .partial({ remedy: true })
  .meta({ description: 'Where the platform session stands; never says whose it is' });

export type SessionStatus = z.infer<typeof sessionStatus>;

/** Another program uses the same account: each takes the other's session or lobby. */
export const contention = z.object({
  ...troubleShape('What was taken', 'What ends it for good'),
  since: timestamp.meta({ description: 'When it was noticed' }),
});

export type Contention = z.infer<typeof contention>;

/** The sidecar's `GET /health`. It is liveness: 200 whenever the process can answer. */
export const sidecarHealth = z.object({
  status: z.literal('ok'),
  logged_in: z.boolean().meta({ description: 'Whether the sidecar holds a logged-in platform session' }),
  timestamp,
  session: sessionStatus,
  contended: contention.optional().meta({
    description: 'Only while another program uses the same platform account, whatever the session is like',
  }),
  game_update: gameUpdate.optional().meta({ description: 'As `update` in `GET /download`' }),
});

export type SidecarHealth = z.infer<typeof sidecarHealth>;

/** The same, of a sidecar that may be newer: a state that is not known here must not cost all else that it says. */
export const heardHealth: z.ZodType<SidecarHealth> = sidecarHealth.extend({
  session: sessionStatus.extend({ state: heardAs(sessionState, 'retrying') }),
  game_update: gameUpdate.extend({ state: heardAs(gameUpdateState, 'unknown') }).optional(),
});
