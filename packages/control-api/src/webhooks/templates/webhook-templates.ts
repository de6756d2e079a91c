import { stringifyExact } from '@steward/service-kit/json';
import type { WebhookTemplate } from '@steward/shared/api/webhook-parameters';
import { Webhook } from 'standardwebhooks';
import type { Addressed, Message, Templates, ToldEvent } from '../sending.ts';
import { discordMessage, discordPause, isGoneFromDiscord } from './discord.ts';
import { ntfyMessage, objectionToNtfy } from './ntfy.ts';
import { slackMessage } from './slack.ts';

const messages: Readonly<Record<WebhookTemplate, (event: ToldEvent, to: Addressed) => Message>> = {
  standard: standardMessage,
  discord: discordMessage,
  slack: slackMessage,
  ntfy: ntfyMessage,
};

/** How each template speaks. */
export const webhookTemplates: Templates = {
  messageFor: (template, event, to) => messages[template](event, to),
  isGone: (template, answered) => template === 'discord' && isGoneFromDiscord(answered),
  pauseAfter: (template, answered) => (template === 'discord' ? discordPause(answered) : 0),
  check: (template, url) => (template === 'ntfy' ? objectionToNtfy(url) : undefined),
};

/** As Standard Webhooks has it: the time in the body is that of the event, the one in the headers that of the try. */
function standardMessage({ type, at, cursor, data }: ToldEvent, { id, sentAt, secret }: Addressed): Message {
  const body = stringifyExact({ type, timestamp: at, cursor, data });
  const timestamp = Math.floor(sentAt.getTime() / 1_000);
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      ...(secret !== undefined && { 'webhook-signature': new Webhook(secret).sign(id, sentAt, body) }),
    },
    body,
  };
}
