import { z } from 'zod';
import { drainPhases, drainWhens } from '../../drain.ts';
import { timestamp } from '../../wire-values.ts';
import type { drainEndpoints } from '../endpoints/drain.ts';
import { type Answers, changed, operationId, underWay } from './parts.ts';

export const draining = z
  .object({
    phase: z.enum(drainPhases).meta({
      description:
        'stopped: it is over, and the game stays stopped until DELETE /drain or the next start of the service',
    }),
    when: z.enum(drainWhens),
    restart: z.boolean(),
    message: z.string().optional(),
    startedAt: timestamp,
    until: timestamp.optional().meta({ description: 'When the wait or the countdown ends at the latest' }),
    operationId: operationId.optional(),
  })
  .meta({ id: 'Draining' });

export type Draining = z.infer<typeof draining>;

/** How a drain ended, as the operation that it is shows it. */
export const drained = z.object({
  isSaved: z.boolean().meta({ description: 'false: the unsaved part of the day is lost' }),
  isBack: z.boolean().meta({ description: 'Whether the game was started again and is connected' }),
});

export type Drained = z.infer<typeof drained>;

export const drainAnswers = {
  getDrain: {
    200: z
      .object({
        draining: draining.optional().meta({ description: 'Absent if there is none' }),
        players: z.int().min(0).meta({ description: 'Players who would have to leave' }),
        savedAt: timestamp
          .optional()
          .meta({ description: 'When the game saved last, as far as this service knows' }),
        lostIfStoppedNow: z.string().meta({ description: 'For a person' }),
      })
      .meta({ id: 'Drain' }),
  },
  startDrain: { 202: underWay },
  cancelDrain: {
    200: z
      .object({
        ...changed,
        wasStopped: z.boolean().meta({
          description: 'Whether it had stopped the game, which now starts again, or can connect again',
        }),
      })
      .meta({ id: 'DrainEnded' }),
  },
} satisfies Record<keyof typeof drainEndpoints, Answers>;
