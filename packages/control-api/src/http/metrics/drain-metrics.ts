import { drainPhases } from '@steward/shared/drain';
import { Gauge, type Registry } from 'prom-client';
import type { Drains } from '../../drain/drains.ts';

/** Whether players are being seen off, by how far that is; Prometheus reads when it asks. */
export function measureDrains(registry: Registry, drains: Pick<Drains, 'standing'>): void {
  new Gauge({
    name: 'steward_draining',
    help: '1 in the phase in which a drain is, 0 in the others; stopped: a drain has stopped the game',
    labelNames: ['phase'],
    registers: [registry],
    collect() {
      for (const phase of drainPhases) this.set({ phase }, Number(drains.standing?.phase === phase));
    },
  });
}
