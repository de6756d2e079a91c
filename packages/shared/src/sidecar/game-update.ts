import { z } from 'zod';
import { troubleShape } from '../problems/trouble.ts';
import { timestamp } from '../timestamp.ts';

export const gameUpdateState = z.enum(['current', 'available', 'unknown']);

/** Whether the platform has another build than GAME_DIR: files that are whole may be those of an older one. */
export const gameUpdate = z
  .object({
    state: gameUpdateState.meta({
      description:
        'current: the platform had no other build when it was asked last; available: it has one; unknown: it could not be asked',
    }),
    since: timestamp.meta({ description: 'Since when that is known, or not known' }),
    checked_at: timestamp.optional().meta({ description: 'When the platform answered last' }),
    ...troubleShape('Why it is unknown, or what is available', 'What the operator can do about it'),
  })
  .partial({ reason: true, remedy: true });

export type GameUpdate = z.infer<typeof gameUpdate>;
