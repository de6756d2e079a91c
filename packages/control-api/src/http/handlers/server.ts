import { serverEndpoints } from '@steward/shared/api/endpoints/server';
import { Problem } from '@steward/shared/problems/problem';
import { timestampOf } from '@steward/shared/wire-values';
import type { Registry } from 'prom-client';
import type { BridgeState } from '../../game/state/bridge-state.ts';
import { farmView } from '../../status/farm-view.ts';
import { healthOf, readinessOf, secondsUntilNews } from '../bodies/health.ts';
import { gameCommand } from '../command-answers/game-command.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function serverHandlers(
  parts: HandlerParts,
  registry: Registry,
): Handlers<keyof typeof serverEndpoints> {
  const { bridge, reads, clock, screenshots } = parts;
  const view = farmView(parts);
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
    saveGame: gameCommand(bridge, 'saveGame', {
      params: () => ({}),
      more: ({ after }) => ({ saveGeneration: after.saveGeneration }),
      says: ({ saveGeneration }) => `The farm is saved, as save ${saveGeneration}`,
    }),
    getGameLog() {
      const { output } = bridge;
      if (output === undefined) throw elsewhere(bridge.state);
      return { lines: output.map(({ at, ...line }) => ({ at: timestampOf(at), ...line })) };
    },
    getScreenshot: {
      async handler(_request, reply) {
        const picture = await screenshots.take();
        return reply
          .header('content-type', serverEndpoints.getScreenshot.mediaType)
          .header('cache-control', 'no-store')
          .send(picture);
      },
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

/** Whoever starts a game has what it prints. */
function elsewhere({ selfHosted }: BridgeState): Problem {
  const where =
    selfHosted === undefined
      ? 'this service does not start the game (GAME_BRIDGE=spawn): its log is where it is started, for example in `docker compose logs` or `journalctl`'
      : `${selfHosted.name} has its own log: use \`docker compose logs\` for its service`;
  return new Problem('not-supported-by-game', `There is no log of the game here: ${where}`);
}
