import type { HttpServer } from '@steward/service-kit/http/http-server';
import { timestamp, timestampOf } from '@steward/shared/timestamp';
import { z } from 'zod';
import type { GameBridge } from '../bridge/game-bridge.ts';
import { bridgeLimits } from '../bridge/limits.ts';
import { linkStatus } from '../bridge/link/link-state.ts';
import { documentPath } from '../openapi/document.ts';

const health = z
  .object({
    status: z
      .enum(['ok', 'degraded'])
      .meta({ description: 'The process answers; degraded while the game is frozen' }),
    timestamp,
    game: z
      .object({
        status: linkStatus.meta({ description: 'How the connection to the game stands' }),
        since: timestamp,
      })
      .meta({ description: 'Data, not liveness: 200 whatever it says' }),
    tickCount: z.int().meta({ description: 'Ticks that the game has counted; 0 without a game' }),
    lastTickMs: z.int().optional().meta({ description: 'Since the last tick; absent before the first' }),
    isFrozen: z.boolean().meta({ description: `No tick yet, or none for ${bridgeLimits.frozenMs} ms` }),
  })
  .meta({ id: 'Health' });

/** The routes of the group Server. */
export function serverRoutes(
  server: HttpServer,
  now: () => Date,
  bridge: Pick<GameBridge, 'state' | 'ticks'>,
): void {
  server.get(
    '/health',
    {
      schema: {
        operationId: 'getHealth',
        summary: 'Whether the server is alive',
        description: 'Liveness: 200 whenever the process can answer, whatever the game does.',
        tags: ['Server'],
        security: [],
        response: { 200: health },
      },
    },
    async () => healthOf(bridge, now()),
  );

  server.get(documentPath, { schema: { hide: true } }, async () => server.swagger());
}

function healthOf({ state, ticks }: Pick<GameBridge, 'state' | 'ticks'>, now: Date): z.infer<typeof health> {
  const { status, since } = state.link;
  return {
    status: status === 'frozen' ? 'degraded' : 'ok',
    timestamp: timestampOf(now),
    game: { status, since: timestampOf(since) },
    tickCount: ticks.count ?? 0,
    ...(ticks.ageMs === undefined ? {} : { lastTickMs: Math.round(ticks.ageMs) }),
    isFrozen: ticks.ageMs === undefined || ticks.ageMs > bridgeLimits.frozenMs,
  };
}
