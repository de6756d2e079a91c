import { z } from 'zod';
import { protocolVersionSchema } from './protocol.ts';
import { gameSettings } from './settings.ts';

const shortText = z.string().min(1).max(200);

/** A farm keeps its id for life; it names directories, so its alphabet is narrow. */
export const farmId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/,
    'is not 1 to 100 of A-Z a-z 0-9 _ -, starting with a letter or digit',
  )
  .meta({ description: "The farm's id, which never changes", examples: ['Sunnybrook_398472611'] });

/** Counts the saves of a farm: each save adds one, a crash goes back to the last one's number. */
export const saveGeneration = z.int().min(0);

export const farmIdentity = z.object({ farmId, saveGeneration });

export type FarmIdentity = z.infer<typeof farmIdentity>;

/** The first message on a stream, from the game. */
export const helloParams = z.object({
  protocol: protocolVersionSchema,
  game: z.object({ name: shortText, version: shortText }),
  capabilities: z.array(z.string().min(1).max(64)).max(100).meta({
    description: 'The commands and questions that this game supports, by name; unknown names are ignored',
  }),
  farm: farmIdentity.optional().meta({ description: 'Absent while no farm is loaded' }),
  secret: z.string().max(1_000).optional().meta({ description: 'The shared secret, only over TCP' }),
});

export const helloResult = z.object({
  protocol: protocolVersionSchema,
  service: z.object({ name: shortText, version: shortText }),
  settings: gameSettings.meta({ description: 'The effective settings; `game` is for a new farm' }),
});

export type HelloParams = z.infer<typeof helloParams>;
export type HelloResult = z.infer<typeof helloResult>;
