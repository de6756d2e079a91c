import { z } from 'zod';

/** What is typed, as it reaches the farm: one line of JSON. */
export const orderMessage = z.object({ order: z.string(), words: z.array(z.string()) });

/** What the farm says to it, a line each; the last one has an `end`. What `failed` has printed why. */
export const replyMessage = z.union([
  z.object({ line: z.string() }),
  z.object({ end: z.enum(['done', 'failed']) }),
  z.object({ end: z.enum(['refused', 'misunderstood']), reason: z.string() }),
]);

export type ReplyMessage = z.infer<typeof replyMessage>;
