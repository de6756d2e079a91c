import { timestamp, timestampOf } from '@steward/shared/timestamp';
import { z } from 'zod';
import type { GameBridge } from '../../game/game-bridge.ts';
import { bridgeLimits } from '../../game/state/limits.ts';
import { linkStatus } from '../../game/state/link-state.ts';
import type { FarmView } from '../../status/farm-view.ts';
import { keepsNobodyOut, obstacle, obstaclesOf } from '../../status/obstacles.ts';
import { inviteWay } from './invite-way.ts';

/** Most of what keeps players out is over sooner or later than anybody can say. */
const soonMs = 5_000;

export const healthAnswer = z
  .object({
    status: z
      .enum(['ok', 'degraded'])
      .meta({ description: 'degraded: the process answers, the game does not tick' }),
    timestamp,
    lastTickMs: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "Since the game's last tick; absent before the first" }),
    pendingActions: z.int().min(0),
    gameAvailable: z.boolean().optional().meta({ description: 'Players can join; absent while unknown' }),
    tickCount: z.int().min(0),
    game: z
      .object({ status: linkStatus, since: timestamp })
      .meta({ description: 'How the game stands, and since when' }),
    isFrozen: z
      .boolean()
      .meta({ description: `No tick yet, or none for ${bridgeLimits.frozenMs / 1_000} seconds` }),
  })
  .meta({ id: 'Health' });

export function healthOf(
  { state, ticks }: Pick<GameBridge, 'state' | 'ticks'>,
  now: Date,
): z.infer<typeof healthAnswer> {
  const { status, stats } = state.sections;
  const isFrozen = ticks.ageMs === undefined || ticks.ageMs > bridgeLimits.frozenMs;
  return {
    status: isFrozen ? 'degraded' : 'ok',
    timestamp: timestampOf(now),
    ...(ticks.ageMs === undefined ? {} : { lastTickMs: Math.round(ticks.ageMs) }),
    pendingActions: stats?.pendingActions ?? 0,
    ...(status === undefined ? {} : { gameAvailable: !isFrozen && status.isReady }),
    tickCount: ticks.count ?? 0,
    game: { status: state.link.status, since: timestampOf(state.link.since) },
    isFrozen,
  };
}

export const readinessAnswer = z
  .object({
    ready: z.boolean().meta({ description: 'Players can join now' }),
    timestamp,
    obstacles: z.array(obstacle),
    inviteWay,
  })
  .meta({ id: 'Readiness' });

export function readinessOf(view: FarmView, now: Date): z.infer<typeof readinessAnswer> {
  const obstacles = obstaclesOf(view);
  return {
    ready: obstacles.every(keepsNobodyOut),
    timestamp: timestampOf(now),
    obstacles,
    inviteWay: [...view.way.steps],
  };
}

/** In how many seconds it is worth asking again: with the next try of a step, or soon where none is due. */
export function secondsUntilNews(readiness: z.infer<typeof readinessAnswer>): number {
  const now = Date.parse(readiness.timestamp);
  const waits = readiness.inviteWay.map(({ nextRetry }) => Date.parse(nextRetry ?? '') - now);
  const next = Math.min(...waits.filter((ms) => ms > 0), soonMs);
  return Math.ceil(next / 1_000);
}
