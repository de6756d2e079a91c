import { z } from 'zod';
import { cabinStrategy } from '../../bridge/settings.ts';
import { cabin, statusSection } from '../../bridge/state.ts';
import { exactId, exactIdText } from '../../exact-id.ts';
import type { cabinEndpoints } from '../endpoints/cabins.ts';
import type { timeEndpoints } from '../endpoints/time.ts';
import { type Answers, changed, changeOf, snapshotVersion } from './parts.ts';

const count = z.int().min(0);

const cabins = z
  .object({
    strategy: cabinStrategy,
    totalCount: count,
    assignedCount: count,
    availableCount: count,
    cabins: z.array(
      cabin.extend({
        ownerId: exactId.meta({
          description: 'The id of the slot, also of an empty one; 0 if there is none',
        }),
        ownerIdStr: exactIdText,
      }),
    ),
    savedPositionPlayerIds: z.array(exactId),
    savedPositionPlayerIdStrs: z.array(exactIdText),
  })
  .meta({ id: 'Cabins' });

const time = statusSection
  .pick({ timeOfDay: true, day: true, season: true, year: true, isPaused: true })
  .extend({ version: snapshotVersion })
  .meta({ id: 'Time' });

export const farmAnswers = {
  listCabins: { 200: cabins },
  getTime: { 200: time },
  setTime: {
    200: z.object({ ...changed, timeOfDay: z.int(), ...changeOf('setTime') }).meta({ id: 'TimeChanged' }),
  },
} satisfies Record<keyof typeof cabinEndpoints | keyof typeof timeEndpoints, Answers>;
