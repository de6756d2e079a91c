import type { HttpServer } from '@steward/service-kit/http/http-server';
import { removeMisnamed } from '@steward/service-kit/process/misnamed-metrics';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { z } from 'zod';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { InviteWay } from '../../invites/invite-way.ts';
import type { StateDirectory } from '../../store/state-directory.ts';
import { routeSchema } from '../openapi/route-schema.ts';
import { measureFarm } from './farm-metrics.ts';
import { type LatencySeriesOf, measureRequests } from './request-metrics.ts';
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

/** `GET /metrics`, and the latencies of every route that is added after it. */
export function serveMetrics(server: HttpServer, registry: Registry): LatencySeriesOf {
  const latencies = measureRequests(server, registry);
  server.get(
    '/metrics',
    {
      schema: routeSchema({
        operationId: 'getMetrics',
        summary: 'Measurements for Prometheus',
        tag: 'Server',
        answers: { 200: z.string().meta({ description: 'Prometheus text format' }) },
      }),
    },
    async (_request, reply) => {
      reply.header('content-type', registry.contentType).header('cache-control', 'no-store');
      reply.send(Buffer.from(await registry.metrics()));
      return reply;
    },
  );
  return latencies;
}
