import type { serverEndpoints } from '@steward/shared/api/endpoints/server';
import type { Registry } from 'prom-client';
import { farmView } from '../../status/farm-view.ts';
import { healthOf, readinessOf, secondsUntilNews } from '../bodies/health.ts';
import { refuseWhereTheirs } from '../commands/command-problems.ts';
import { gameCommand } from '../commands/game-command.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function serverHandlers(
  parts: HandlerParts,
  registry: Registry,
): Handlers<keyof typeof serverEndpoints> {
  const { bridge, reads, clock } = parts;
  const view = farmView(parts);
  const saving = gameCommand(bridge, 'saveGame', {
    params: () => ({}),
    more: ({ after }) => ({ saveGeneration: after.saveGeneration }),
    says: ({ saveGeneration }) => `The farm is saved, as save ${saveGeneration}`,
  });
  return {
    getHealth: () => healthOf(bridge, clock.date()),
    getReadiness(_asked, reply) {
      const readiness = readinessOf(view(), clock.date());
      if (!readiness.ready) reply.code(503).header('retry-after', secondsUntilNews(readiness));
      return readiness;
    },
    getStatus: reads.getStatus,
    getStats: reads.getStats,
    getRendering: reads.getRendering,
    setRendering: gameCommand(bridge, 'setRendering', {
      params: ({ fps }) => ({ fps }),
      more: ({ before, after }) => ({ fps: after.fps, previousFps: before.fps }),
      says: ({ fps }) => (fps === 0 ? 'Rendering is off' : `Rendering at ${fps} frames a second`),
    }),
    saveGame(asked, reply) {
      refuseWhereTheirs(bridge.state, 'save');
      return saving(asked, reply);
    },
    getMetrics: {
      async handler(_request, reply) {
        reply.header('content-type', registry.contentType).header('cache-control', 'no-store');
        reply.send(Buffer.from(await registry.metrics()));
        return reply;
      },
    },
  };
}
