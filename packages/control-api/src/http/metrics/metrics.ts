import { removeMisnamed } from '@steward/service-kit/process/misnamed-metrics';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { InviteWay } from '../../invites/invite-way.ts';
import type { StateDirectory } from '../../store/state-directory.ts';
import { measureFarm } from './farm-metrics.ts';
import { measureSidecar } from './sidecar-metrics.ts';
import { measureWay } from './way-metrics.ts';

export interface Measured {
  readonly bridge: Pick<GameBridge, 'state' | 'ticks'>;
  readonly inviteWay: InviteWay;
  readonly disk: Pick<StateDirectory, 'problem'>;
}

/** What this process measures of itself and its farm; further parts of the service register their own. */
export function createMetrics({ bridge, inviteWay, disk }: Measured): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  removeMisnamed(registry);
  measureFarm(registry, bridge);
  new Gauge({
    name: 'steward_state_unwritable',
    help: '1 while STATE_DIR cannot be written, 0 while it can',
    registers: [registry],
    collect() {
      this.set(Number(disk.problem !== undefined));
    },
  });
  measureWay(registry, inviteWay);
  if (inviteWay.sidecar !== undefined) measureSidecar(registry, inviteWay.sidecar);
  return registry;
}
