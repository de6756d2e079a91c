import { z } from 'zod';
import { timestamp } from '../wire-values.ts';
import { farmId } from './hello.ts';
import { season } from './state.ts';

/** A save that the game has. What the game cannot read of it is absent. */
export const savedFarm = z.object({
  id: farmId,
  farmName: z.string().max(200),
  farmer: z.string().max(200).optional().meta({ description: 'The name of the host' }),
  day: z.int().min(1).max(28).optional(),
  season: season.optional(),
  year: z.int().min(1).optional(),
  lastPlayedAt: timestamp.optional().meta({ description: 'When it was last saved' }),
  isLoaded: z.boolean().meta({ description: 'Whether it is the loaded one' }),
});

export type SavedFarm = z.infer<typeof savedFarm>;

/** Which saves are there? */
export const farmsResult = z.object({ farms: z.array(savedFarm).max(1_000) });

/** In base64 it stays well below the longest line. */
export const largestPictureBytes = 700 * 1024;

/** What the game shows. */
export const screenshotResult = z.object({
  png: z
    .base64()
    .min(1)
    .max(Math.ceil(largestPictureBytes / 3) * 4)
    .meta({ description: 'A PNG, base64' }),
});
