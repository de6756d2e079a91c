import { Gauge, type Registry } from 'prom-client';
import type { KeyRing } from '../../keys/key-ring.ts';

/** Prometheus counts the keys when it asks. */
export function measureKeys(registry: Registry, keys: Pick<KeyRing, 'counts'>): void {
  new Gauge({
    name: 'steward_keys',
    help: 'Keys beside API_KEY: active ones, and of those that were revoked or have expired as many as are known',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(keys.counts)) this.set({ state }, count);
    },
  });
}
