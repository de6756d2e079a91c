import { z } from 'zod';
import { type Topic, topicNames } from '../../events/event-types.ts';
import { timestamp } from '../../wire-values.ts';
import type { webhookEndpoints } from '../endpoints/webhooks.ts';
import { deliveryOutcomes, webhookTemplates } from '../webhook-parameters.ts';
import { type Answers, changed } from './parts.ts';

/** What a webhook is: what anybody may know of it who may know of webhooks. */
export const webhookFacts = z
  .object({
    id: z.string().meta({ examples: ['hook_5b1f0c9a7d24'] }),
    name: z.string(),
    template: z.enum(webhookTemplates),
    topics: z.array(z.enum(topicNames as readonly [Topic, ...Topic[]])),
    identities: z
      .boolean()
      .meta({ description: 'Whether its messages have platform and network identities' }),
    host: z.string().meta({ description: 'Of its URL' }),
    urlEndsWith: z.string().meta({ description: 'The last four characters of its URL' }),
    createdAt: timestamp,
    state: z.enum(['active', 'off']).meta({ description: 'off: it gets nothing until it is resumed' }),
    since: timestamp.meta({ description: 'Since when it is in this state' }),
  })
  .meta({ id: 'Webhook' });

export type WebhookFacts = z.infer<typeof webhookFacts>;

const standing = webhookFacts
  .extend({
    lastDeliveryAt: timestamp.optional().meta({ description: 'Absent if nothing was delivered yet' }),
    failingSince: timestamp
      .optional()
      .meta({ description: 'Since when all attempts have failed; absent if the last one succeeded' }),
    reason: z.string().optional().meta({ description: 'Why it fails, or is off' }),
    nextTryAt: timestamp.optional().meta({ description: 'When it is retried, if it waits for that' }),
    lag: z
      .int()
      .min(0)
      .meta({ description: 'Events that it has not received yet; 1,000 means that many or more' }),
  })
  .meta({ id: 'WebhookStanding' });

export type WebhookStanding = z.infer<typeof standing>;

/** What became of one message. */
export const testOutcome = z
  .object({
    delivered: z.boolean(),
    status: z.int().optional().meta({ description: 'The status of the answer; absent if there was none' }),
    reason: z.string().optional().meta({ description: 'Why it was not delivered' }),
  })
  .meta({ id: 'WebhookTest' });

const delivery = z
  .object({
    number: z.int().min(1).meta({ description: 'Grows with each delivery; some numbers are skipped' }),
    webhookId: z.string(),
    webhookName: z.string(),
    messageId: z.string().meta({ description: 'Its `webhook-id`', examples: ['evt_k3f9x-42'] }),
    type: z.string().meta({ description: 'The type of the event, or gap' }),
    outcome: z.enum(deliveryOutcomes),
    at: timestamp.meta({ description: 'When it was delivered or given up' }),
    tries: z.int().min(1),
    status: z.int().optional(),
    reason: z.string().optional().meta({ description: 'Why it was given up' }),
  })
  .meta({ id: 'Delivery' });

const secretOnce = {
  secret: z
    .string()
    .optional()
    .meta({
      description: 'The key that signs its messages: shown only in this answer',
      examples: ['whsec_…'],
    }),
  secretShown: z
    .literal(true)
    .optional()
    .meta({ description: 'Instead of the secret, if the first answer to this request had it' }),
};

const answered = { ...changed, webhook: webhookFacts };

export const webhookAnswers = {
  listWebhooks: { 200: z.object({ webhooks: z.array(standing) }).meta({ id: 'Webhooks' }) },
  createWebhook: { 200: z.object({ ...answered, ...secretOnce }).meta({ id: 'WebhookMade' }) },
  deleteWebhook: { 200: z.object(answered).meta({ id: 'WebhookDeleted' }) },
  resumeWebhook: { 200: z.object(answered).meta({ id: 'WebhookResumed' }) },
  testWebhook: { 200: z.object({ ...answered, test: testOutcome }).meta({ id: 'WebhookTested' }) },
  listDeliveries: { 200: z.object({ deliveries: z.array(delivery) }).meta({ id: 'Deliveries' }) },
} satisfies Record<keyof typeof webhookEndpoints, Answers>;
