import { randomBytes } from 'node:crypto';
import type { WebhookFacts, WebhookStanding } from '@steward/shared/api/answers/webhooks';
import {
  type WebhookTemplate,
  webhookLimits,
  webhookSecretPrefix,
} from '@steward/shared/api/webhook-parameters';
import type { Topic } from '@steward/shared/events/event-types';
import { timestampOf } from '@steward/shared/wire-values';
import type { Cursor } from '../game/state/event-log.ts';
import { refuseNew } from '../store/named.ts';
import type { KeptWebhook, WebhookDefinition, WebhookProgress } from '../store/tables/webhooks.ts';
import { type Lane, notFailing } from './lane.ts';

/** As Standard Webhooks asks for: from 24 bytes to 64. */
const secretBytes = 32;
const shownOfUrl = 4;

export interface NewWebhook {
  readonly url: string;
  readonly name: string;
  readonly topics: readonly Topic[];
  readonly template?: WebhookTemplate;
  readonly identities?: boolean;
}

/** How it is to begin, from this place of the log on; or the Problem that says why it may not. */
export function made(
  lanes: readonly Lane[],
  { url, name, topics, template = 'standard', identities = false }: NewWebhook,
  place: Cursor,
  now: number,
): KeptWebhook {
  refuseNew('webhook', lanes, name, webhookLimits.webhooks);
  const secret =
    template === 'standard' ? `${webhookSecretPrefix}${randomBytes(secretBytes).toString('base64')}` : null;
  return {
    id: `hook_${randomBytes(6).toString('hex')}`,
    name,
    template,
    url,
    secret,
    topics,
    identities,
    createdAt: now,
    ...place,
    gapTo: null,
    state: 'active',
    since: now,
    deliveredAt: null,
    notBefore: 0,
    ...notFailing,
  };
}

/** What anybody may know who may know of webhooks. */
export function factsOf(hook: WebhookDefinition & Pick<WebhookProgress, 'state' | 'since'>): WebhookFacts {
  const { id, name, template, topics, identities, url, createdAt, state, since } = hook;
  return {
    id,
    name,
    template,
    topics: [...topics],
    identities,
    host: hostOf(url),
    urlEndsWith: url.slice(-shownOfUrl),
    createdAt: timestampOf(createdAt),
    state,
    since: timestampOf(since),
  };
}

export function standingOf({ definition, progress }: Lane, now: number, lag: number): WebhookStanding {
  const { deliveredAt, failingSince, reason, notBefore } = progress;
  return {
    ...factsOf({ ...definition, ...progress }),
    ...(deliveredAt === null ? {} : { lastDeliveryAt: timestampOf(deliveredAt) }),
    ...(failingSince === null ? {} : { failingSince: timestampOf(failingSince) }),
    ...(reason === null ? {} : { reason }),
    ...(notBefore > now ? { nextTryAt: timestampOf(notBefore) } : {}),
    lag,
  };
}

export function hostOf(url: string): string {
  return new URL(url).host;
}
