import { Counter, Gauge, type Registry } from 'prom-client';
import type { Webhooks } from '../../webhooks/webhooks.ts';

/** The webhooks keep count themselves; Prometheus reads when it asks. By their ids: what they are called is for an admin alone, and this is for whoever may read. */
export function measureWebhooks(
  registry: Registry,
  webhooks: Pick<Webhooks, 'counts' | 'tries' | 'waiting'>,
): void {
  const registers = [registry];
  new Gauge({
    name: 'steward_webhooks',
    help: 'Webhooks by state: active, failing, or switched off',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(webhooks.counts)) this.set({ state }, count);
    },
  });
  new Counter({
    name: 'steward_webhook_deliveries_total',
    help: 'Messages to webhooks, by outcome: delivered, failed and retried, or given up',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(webhooks.tries)) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: 'steward_webhook_failing',
    help: '1 while the last message to a webhook failed, and if it is off because of that; 0 otherwise',
    labelNames: ['webhook'],
    registers,
    collect() {
      this.reset();
      for (const { id, isFailing } of webhooks.waiting) this.set({ webhook: id }, Number(isFailing));
    },
  });
  new Gauge({
    name: 'steward_webhook_oldest_undelivered_seconds',
    help: 'Age of the oldest event that an active webhook has not received yet; 0 if there is none',
    labelNames: ['webhook'],
    registers,
    collect() {
      this.reset();
      for (const { id, seconds } of webhooks.waiting)
        if (seconds !== undefined) this.set({ webhook: id }, seconds);
    },
  });
}
