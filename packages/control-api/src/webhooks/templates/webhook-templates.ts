import { stringifyExact } from '@steward/service-kit/json';
import type { WebhookTemplate } from '@steward/shared/api/webhook-parameters';
import { Webhook } from 'standardwebhooks';
import type { Message, Sent, Templates, ToldEvent } from '../sending.ts';
import { discordMessage, discordPause, isGoneFromDiscord } from './discord.ts';
import { ntfyMessage, objectionToNtfy } from './ntfy.ts';
import { slackMessage } from './slack.ts';

const messages: Readonly<Record<WebhookTemplate, (event: ToldEvent, to: Sent) => Message>> = {
  standard: standardMessage,
  discord: discordMessage,
  slack: slackMessage,
  ntfy: ntfyMessage,
};

/** How each template speaks, for a server of this name. */
export function webhookTemplates(instance = ''): Templates {
  return {
    messageFor: (template, event, to) => messages[template](event, { ...to, instance }),
    isGone: (template, answered) => template === 'discord' && isGoneFromDiscord(answered),
    pauseAfter: (template, answered) => (template === 'discord' ? discordPause(answered) : 0),
    check: (template, url) => (template === 'ntfy' ? objectionToNtfy(url) : undefined),
  };
}

/** As Standard Webhooks has it: the time in the body is that of the event, the one in the headers that of the try. */
function standardMessage({ type, at, cursor, data }: ToldEvent, to: Sent): Message {
  const { id, sentAt, secret, instance } = to;
  const named = instance === '' ? {} : { instance };
  const body = stringifyExact({ type, timestamp: at, cursor, ...named, data });
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
