import { Counter, Gauge, type Registry } from 'prom-client';
import type { Webhooks } from '../../webhooks/webhooks.ts';

/** The webhooks keep count themselves; Prometheus reads when it asks. Of their names there are as many as there may be webhooks. */
export function measureWebhooks(
  registry: Registry,
  webhooks: Pick<Webhooks, 'counts' | 'tries' | 'waiting'>,
): void {
  const registers = [registry];
  new Gauge({
    name: 'steward_webhooks',
    help: 'Webhooks by how they stand: active, failing, or switched off',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(webhooks.counts)) this.set({ state }, count);
    },
  });
  new Counter({
    name: 'steward_webhook_deliveries_total',
    help: 'Messages sent to webhooks, by what became of them: delivered, failed and tried again, or given up',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(webhooks.tries)) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: 'steward_webhook_failing',
    help: '1 while what a webhook was sent last did not arrive, and once it is off for that; 0 while it did',
    labelNames: ['webhook'],
    registers,
    collect() {
      this.reset();
      for (const { name, isFailing } of webhooks.waiting) this.set({ webhook: name }, Number(isFailing));
    },
  });
  new Gauge({
    name: 'steward_webhook_oldest_undelivered_seconds',
    help: 'Since the oldest event that a webhook which is not off has still to be told; 0 where there is none',
    labelNames: ['webhook'],
    registers,
    collect() {
      this.reset();
      for (const { name, seconds } of webhooks.waiting)
        if (seconds !== undefined) this.set({ webhook: name }, seconds);
    },
  });
}
