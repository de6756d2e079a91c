import { z } from 'zod';
import { fastestRendering, timeOfDay } from '../ranges.ts';

export const season = z.enum(['spring', 'summer', 'fall', 'winter']);

/** Server and calendar. Without a loaded farm: zeros and empty texts. */
export const statusSection = z.object({
  playerCount: z.int().min(0).meta({ description: 'Online farmers, the host not counted' }),
  maxPlayers: z.int().min(0),
  serverVersion: z.string().meta({ description: "The mod's own version" }),
  gameVersion: z.string(),
  isOnline: z.boolean().meta({ description: 'A farm is loaded and hosted' }),
  isReady: z.boolean().meta({ description: 'Players can join now' }),
  dayTransitionComplete: z.boolean(),
  isPaused: z.boolean(),
  farmName: z.string(),
  farmTypeKey: z.string(),
  day: z.int().min(0).max(28),
  season: z.union([season, z.literal('')]),
  year: z.int().min(0),
  timeOfDay: z.int().min(0).max(timeOfDay.latest),
});

export const renderingSection = z.object({ fps: z.int().min(0).max(fastestRendering) });

/** How the game's process fares. */
export const statsSection = z.object({
  fps: z.number().min(0),
  tps: z.number().min(0),
  targetTps: z.int().min(1),
  avgTickMs: z.number().min(0),
  memoryMb: z.number().min(0),
  gcGen0: z.int().min(0),
  gcGen1: z.int().min(0),
  gcGen2: z.int().min(0),
  pendingActions: z.int().min(0),
  gameThreadWaitMs: z.number().min(0),
  uptimeSeconds: z.int().min(0),
});
