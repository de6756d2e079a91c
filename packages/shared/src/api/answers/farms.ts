import { z } from 'zod';
import { savedFarm } from '../../bridge/farms.ts';
import type { farmsEndpoints } from '../endpoints/farms.ts';
import { type Answers, underWay } from './parts.ts';

/** How a change of farms ended, as the operation that it is shows it. */
const farmChanged = z.object({
  farmId: z
    .string()
    .optional()
    .meta({ description: 'The farm that is loaded now; absent if the game does not report it' }),
  farmName: z.string(),
  isSaved: z
    .boolean()
    .meta({ description: 'Whether the previous farm was saved; false: the unsaved part of its day is lost' }),
  backupId: z
    .string()
    .optional()
    .meta({ description: 'The backup of the previous farm; absent if none was made' }),
});

export type FarmChanged = z.infer<typeof farmChanged>;

export const farmsAnswers = {
  listFarms: { 200: z.object({ farms: z.array(savedFarm.meta({ id: 'SavedFarm' })) }).meta({ id: 'Farms' }) },
  createFarm: { 202: underWay },
  loadFarm: { 202: underWay },
} satisfies Record<keyof typeof farmsEndpoints, Answers>;
