import { z } from 'zod';
import { drainPhases, drainWhens } from '../../drain.ts';
import { timestamp } from '../../wire-values.ts';
import type { drainEndpoints } from '../endpoints/drain.ts';
import { type Answers, changed, operationId, underWay } from './parts.ts';

export const draining = z
  .object({
    phase: z
      .enum(drainPhases)
      .meta({ description: 'stopped: it is over, and the game stays away until DELETE /drain' }),
    when: z.enum(drainWhens),
    restart: z.boolean(),
    message: z.string().optional(),
    startedAt: timestamp,
    until: timestamp
      .optional()
      .meta({ description: 'When it goes on at the latest: the end of the wait, or of the countdown' }),
    operationId: operationId.optional(),
  })
  .meta({ id: 'Draining' });

export type Draining = z.infer<typeof draining>;

/** How a drain ended, as the operation that it is shows it. */
export const drained = z.object({
  isSaved: z.boolean().meta({ description: 'false: what of the day was not saved is lost' }),
  isBack: z.boolean().meta({ description: 'Whether the game was started again, and has come' }),
});

export type Drained = z.infer<typeof drained>;

export const drainAnswers = {
  getDrain: {
    200: z
      .object({
        draining: draining.optional().meta({ description: 'Absent where there is none' }),
        players: z.int().min(0).meta({ description: 'Who would have to leave' }),
        savedAt: timestamp
          .optional()
          .meta({ description: 'When the game saved last, as far as this service has heard of it' }),
        lostIfStoppedNow: z.string().meta({ description: 'For a person' }),
      })
      .meta({ id: 'Drain' }),
  },
  startDrain: { 202: underWay },
  cancelDrain: {
    200: z
      .object({
        ...changed,
        wasStopped: z.boolean().meta({ description: 'Whether it had stopped the game, which comes back' }),
      })
      .meta({ id: 'DrainEnded' }),
  },
} satisfies Record<keyof typeof drainEndpoints, Answers>;
