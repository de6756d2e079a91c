import { PresenceUpdateStatus } from 'discord-api-types/v10';
import { z } from 'zod';

const activity = z.object({
  name: z.string().min(1).max(128),
  type: z.int().min(0).max(5),
  state: z.string().max(128).nullish(),
  url: z.string().nullish(),
});

export const presenceForm = z.object({
  since: z.number().nullable(),
  activities: z.array(activity),
  status: z.enum(PresenceUpdateStatus),
  afk: z.boolean(),
});

export const identifyForm = z.object({
  token: z.string(),
  properties: z.object({ os: z.string(), browser: z.string(), device: z.string() }),
  intents: z.int().min(0),
  shard: z.tuple([z.int(), z.int()]).optional(),
  presence: presenceForm.nullish(),
});

export const resumeForm = z.object({ token: z.string(), session_id: z.string(), seq: z.int() });

/** Of the last event that the client has heard. */
export const beatForm = z.int().nullable();

export const payloadForm = z.object({ op: z.int(), d: z.unknown() });

export type Identify = z.output<typeof identifyForm>;
export type Resume = z.output<typeof resumeForm>;
export type Presence = z.output<typeof presenceForm>;

/** What a client means, or undefined. */
export function parsed<Form>(schema: z.ZodType<Form>, value: unknown): Form | undefined {
  return schema.safeParse(value).data;
}
