import { boolean, choice, integer } from '../../kinds.ts';
import { type Endpoints, optional, required } from '../endpoint.ts';
import {
  deliveryOutcomes,
  webhookId,
  webhookName,
  webhookTemplates,
  webhookTopics,
  webhookUrl,
} from '../webhook-parameters.ts';

export const deliveriesListed = { most: 1_000, usual: 100 } as const;

const eitherIdOrName = ['id', 'name'] as const;

const oneWebhook = {
  id: optional(webhookId, {
    means: 'The id of the webhook. Exactly one of id and name must be given.',
    example: 'hook_5b1f0c9a7d24',
  }),
  name: optional(webhookName, {
    means: 'Its name, in any case. Exactly one of id and name must be given.',
    example: 'our channel',
  }),
};

/** What can become of a change of webhooks, which this service makes itself. */
const changeProblems = [
  'idempotency-key-reused',
  'state-unwritable',
  'game-unavailable',
  'outcome-unknown',
] as const;

export const webhookEndpoints = {
  listWebhooks: {
    on: 'GET /webhooks',
    group: 'Webhooks',
    scope: 'admin',
    summary: 'All webhooks and their state',
    description:
      'In the order in which they were created. A URL is a secret: only its host and its end are shown.',
  },
  createWebhook: {
    on: 'POST /webhooks',
    group: 'Webhooks',
    scope: 'admin',
    summary: 'Create a webhook: send events to a URL',
    description:
      'Events from now on, in order and at least once, across restarts of either side: a repeated message has the same `webhook-id`. For the template `standard` the answer has the signing key in `secret`, only once; a retry with the same Idempotency-Key has `secretShown` instead.',
    query: {
      url: required(webhookUrl, {
        means:
          'The target; a secret. Private addresses only if WEBHOOK_ALLOW lists them; redirects are not followed',
        example: 'https://hooks.example/3f9a7c',
        isSecret: true,
      }),
      name: required(webhookName, {
        means: 'Its name in lists, logs and metrics; no other webhook may have it',
        example: 'our channel',
      }),
      topics: required(webhookTopics, {
        means: 'Which topics it gets, separated by commas',
        example: 'players,invites,game',
      }),
      template: optional(choice(webhookTemplates), {
        means: 'The format of its messages; standard by default',
        example: 'standard',
      }),
      identities: optional(boolean, {
        means: 'Whether messages have platform and network identities, and addresses; false by default',
      }),
    },
    problems: [...changeProblems, 'webhook-url-refused', 'webhook-name-taken', 'too-many-webhooks'],
    audit: 'webhook made',
  },
  deleteWebhook: {
    on: 'DELETE /webhooks',
    group: 'Webhooks',
    scope: 'admin',
    summary: 'Delete a webhook',
    description: 'Events that it has not received yet are not sent, and its deliveries are deleted.',
    query: oneWebhook,
    exactlyOneOf: eitherIdOrName,
    problems: [...changeProblems, 'webhook-not-found'],
    audit: 'webhook deleted',
  },
  resumeWebhook: {
    on: 'POST /webhooks/resume',
    group: 'Webhooks',
    scope: 'admin',
    summary: 'Switch a webhook on again, or retry a failing one now',
    description:
      'A webhook that was switched off continues where it stopped: it gets everything since in order, and one `gap` for events that are no longer kept.',
    query: oneWebhook,
    exactlyOneOf: eitherIdOrName,
    problems: [...changeProblems, 'webhook-not-found'],
    audit: 'webhook resumed',
  },
  testWebhook: {
    on: 'POST /webhooks/test',
    group: 'Webhooks',
    scope: 'admin',
    summary: 'Send a test message now, and report the result',
    description: 'Also works if the webhook is off. It counts neither as a delivery nor as a failure.',
    query: oneWebhook,
    exactlyOneOf: eitherIdOrName,
    problems: [...changeProblems, 'webhook-not-found'],
    audit: 'webhook tested',
  },
  listDeliveries: {
    on: 'GET /webhooks/deliveries',
    group: 'Webhooks',
    scope: 'admin',
    summary: 'What was delivered, and what was given up, with the reason',
    description:
      'The newest first. For each webhook, the last 200 delivered and the last 1,000 given up are kept, for 30 days.',
    query: {
      id: optional(webhookId, { means: 'Only for this webhook', example: 'hook_5b1f0c9a7d24' }),
      outcome: optional(choice(deliveryOutcomes), { means: 'Only this outcome', example: 'givenUp' }),
      before: optional(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
        means: 'Only deliveries before this number',
        example: 120,
      }),
      limit: optional(integer({ min: 1, max: deliveriesListed.most }), {
        means: `The maximum number; ${deliveriesListed.usual} by default`,
        example: 20,
      }),
    },
  },
} as const satisfies Endpoints;
