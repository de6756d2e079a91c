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
    summary: 'The webhooks that there are, and how each stands',
    description: 'In the order in which they were made. A URL is a secret: its host and end are shown.',
  },
  createWebhook: {
    on: 'POST /webhooks',
    group: 'Webhooks',
    scope: 'admin',
    summary: 'Have what happens told to a URL',
    description:
      'From now on, in order and at least once, over restarts of either side: what is told twice has the same `webhook-id`. Of the template `standard` the answer has what messages are signed with in `secret`, this once; sent again under the same Idempotency-Key it has `secretShown` in its place.',
    query: {
      url: required(webhookUrl, {
        means:
          'Where to; a secret. Private addresses only where WEBHOOK_ALLOW lists them; redirects are not followed',
        example: 'https://hooks.example/3f9a7c',
        isSecret: true,
      }),
      name: required(webhookName, {
        means: 'What it is called in lists, logs and metrics; no other webhook has the name',
        example: 'our channel',
      }),
      topics: required(webhookTopics, {
        means: 'What it is told of, between commas',
        example: 'players,invites,game',
      }),
      template: optional(choice(webhookTemplates), {
        means: 'In whose words; standard where nothing is said',
        example: 'standard',
      }),
      identities: optional(boolean, {
        means:
          'Whether it is told platform and network identities, and addresses; false where nothing is said',
      }),
    },
    problems: [...changeProblems, 'webhook-url-refused', 'webhook-name-taken', 'too-many-webhooks'],
    audit: 'webhook made',
  },
  deleteWebhook: {
    on: 'DELETE /webhooks',
    group: 'Webhooks',
    scope: 'admin',
    summary: 'Tell a URL nothing any more',
    description: 'What it has not been told yet it never is, and its deliveries are forgotten.',
    query: oneWebhook,
    exactlyOneOf: eitherIdOrName,
    problems: [...changeProblems, 'webhook-not-found'],
    audit: 'webhook deleted',
  },
  resumeWebhook: {
    on: 'POST /webhooks/resume',
    group: 'Webhooks',
    scope: 'admin',
    summary: 'Switch a webhook on again, or have one that fails tried now',
    description:
      'One that was switched off goes on where it stopped: everything since is told in order, and what is not kept any more as one `gap`.',
    query: oneWebhook,
    exactlyOneOf: eitherIdOrName,
    problems: [...changeProblems, 'webhook-not-found'],
    audit: 'webhook resumed',
  },
  testWebhook: {
    on: 'POST /webhooks/test',
    group: 'Webhooks',
    scope: 'admin',
    summary: 'Send a message of no meaning now, and say what became of it',
    description: 'Also to one that is off. It counts neither as delivered nor as a failure.',
    query: oneWebhook,
    exactlyOneOf: eitherIdOrName,
    problems: [...changeProblems, 'webhook-not-found'],
    audit: 'webhook tested',
  },
  listDeliveries: {
    on: 'GET /webhooks/deliveries',
    group: 'Webhooks',
    scope: 'admin',
    summary: 'What was delivered, and what was given up and why',
    description:
      'The newest first. Of each webhook the last 200 that were delivered are kept and the last 1,000 that were given up, for 30 days.',
    query: {
      id: optional(webhookId, { means: 'Only of this webhook', example: 'hook_5b1f0c9a7d24' }),
      outcome: optional(choice(deliveryOutcomes), { means: 'Only those that ended so', example: 'givenUp' }),
      before: optional(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
        means: 'Only those before the one of this number',
        example: 120,
      }),
      limit: optional(integer({ min: 1, max: deliveriesListed.most }), {
        means: `How many at the most; ${deliveriesListed.usual} where nothing is said`,
        example: 20,
      }),
    },
  },
} as const satisfies Endpoints;
