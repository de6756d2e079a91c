import { testOutcome, type WebhookFacts, webhookFacts } from '@steward/shared/api/answers/webhooks';
import type { webhookEndpoints } from '@steward/shared/api/endpoints/webhooks';
import type { CommandResult } from '../../game/operations/operation.ts';
import { whichOf } from '../../store/named.ts';
import { appliedBy } from '../command-answers/game-command.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function webhookHandlers({
  webhooks,
}: Pick<HandlerParts, 'webhooks'>): Handlers<keyof typeof webhookEndpoints> {
  return {
    listWebhooks: async () => ({ webhooks: await webhooks.list() }),
    listDeliveries: async ({ query }) => ({ deliveries: await webhooks.deliveries(query) }),
    async createWebhook({ query, idempotencyKey }) {
      const { result, secret } = await webhooks.create(query, idempotencyKey);
      const answer = done(result, ({ name, host }) => `${name} sends events to ${host} from now on`);
      if (answer.webhook.template !== 'standard') return answer;
      return { ...answer, ...(secret === undefined ? { secretShown: true as const } : { secret }) };
    },
    async deleteWebhook({ query, idempotencyKey }) {
      const { result } = await webhooks.remove(whichOf(query), idempotencyKey);
      return done(result, ({ name, host }) => `${name} is deleted: ${host} gets no more events`);
    },
    async resumeWebhook({ query, idempotencyKey }) {
      const { result } = await webhooks.resume(whichOf(query), idempotencyKey);
      return done(result, ({ name }) => `${name} continues where it stopped`);
    },
    async testWebhook({ query, idempotencyKey }) {
      const result = await webhooks.test(whichOf(query), idempotencyKey);
      const test = testOutcome.parse(appliedBy(result).outcome.after['test']);
      const says = test.delivered
        ? ({ host }: WebhookFacts) => `${host} accepted the message`
        : ({ host }: WebhookFacts) => `${host} did not accept the message: ${test.reason}`;
      return { ...done(result, says), test };
    },
  };
}

function done(result: CommandResult, says: (webhook: WebhookFacts) => string) {
  const { operationId, outcome } = appliedBy(result);
  const webhook = webhookFacts.parse(outcome.after);
  return { success: true as const, message: says(webhook), operationId, webhook };
}
