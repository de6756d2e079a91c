import type { Command } from '@steward/service-kit/command-line/program';
import { table } from '@steward/service-kit/text/layout';
import type { AnswerOf } from '@steward/shared/api/answers';
import { webhookEndpoints } from '@steward/shared/api/endpoints/webhooks';
import { apiCommand, onlyMessage, type Shown } from './api-command.ts';

const { createWebhook, deleteWebhook, listDeliveries, listWebhooks, resumeWebhook, testWebhook } =
  webhookEndpoints;

/** Webhooks, for whoever has a terminal where the service runs. */
export const webhookCommands: Readonly<Record<string, Command>> = {
  'webhooks create': apiCommand<'createWebhook'>('webhooks create', createWebhook, withSecret),
  'webhooks list': apiCommand<'listWebhooks'>('webhooks list', listWebhooks, ({ webhooks }) => ({
    result: listOf(webhooks),
  })),
  'webhooks delete': apiCommand<'deleteWebhook'>('webhooks delete', deleteWebhook, onlyMessage),
  'webhooks resume': apiCommand<'resumeWebhook'>('webhooks resume', resumeWebhook, onlyMessage),
  'webhooks test': apiCommand<'testWebhook'>('webhooks test', testWebhook, ({ message, test }) => ({
    result: message,
    isFailure: !test.delivered,
  })),
  'webhooks deliveries': apiCommand<'listDeliveries'>(
    'webhooks deliveries',
    listDeliveries,
    ({ deliveries }) => ({ result: deliveriesOf(deliveries) }),
  ),
};

/** The secret alone on stdout, so that it can go into a file or a variable without being seen. */
function withSecret({ secret, message }: AnswerOf<'createWebhook'>): Shown {
  if (secret === undefined) return { result: message };
  return { result: secret, note: `${message}. The key that signs its messages is shown only once` };
}

function listOf(webhooks: AnswerOf<'listWebhooks'>['webhooks']): string {
  if (webhooks.length === 0) return 'There are no webhooks';
  return table([
    ['NAME', 'ID', 'TEMPLATE', 'TOPICS', 'HOST', 'STATE', 'LAST DELIVERY', 'WAITING', 'WHY'],
    ...webhooks.map(({ name, id, template, topics, host, urlEndsWith, state, lag, ...more }) => [
      name,
      id,
      template,
      topics.join(','),
      `${host}…${urlEndsWith}`,
      more.failingSince !== undefined && state === 'active' ? 'failing' : state,
      more.lastDeliveryAt ?? 'never',
      String(lag),
      more.reason ?? '',
    ]),
  ]);
}

function deliveriesOf(deliveries: AnswerOf<'listDeliveries'>['deliveries']): string {
  if (deliveries.length === 0) return 'There are no deliveries';
  return table([
    ['NUMBER', 'AT', 'WEBHOOK', 'TYPE', 'MESSAGE', 'OUTCOME', 'TRIES', 'WHY'],
    ...deliveries.map(({ number, at, webhookName, type, messageId, outcome, tries, reason = '' }) => [
      String(number),
      at,
      webhookName,
      type,
      messageId,
      outcome,
      String(tries),
      reason,
    ]),
  ]);
}
