import type { AnswerOf } from '@steward/shared/api/answers';
import { timestampOf } from '@steward/shared/wire-values';
import type { GameBridge } from '../../game/game-bridge.ts';
import { bridgeLimits } from '../../game/state/limits.ts';
import type { FarmView } from '../../status/farm-view.ts';
import { isJoinable, obstaclesOf } from '../../status/obstacles.ts';

/** Most of what keeps players out is over sooner or later than anybody can say. */
const soonMs = 5_000;

export function healthOf(
  { state, ticks }: Pick<GameBridge, 'state' | 'ticks'>,
  now: Date,
): AnswerOf<'getHealth'> {
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

export function readinessOf(view: FarmView, now: Date): AnswerOf<'getReadiness'> {
  const obstacles = obstaclesOf(view);
  return {
    ready: isJoinable(view, obstacles),
    timestamp: timestampOf(now),
    obstacles,
    inviteWay: [...view.invites.steps],
  };
}

/** In how many seconds it is worth asking again: with the next try of a step, or soon where none is due. */
export function secondsUntilNews(readiness: AnswerOf<'getReadiness'>): number {
  const now = Date.parse(readiness.timestamp);
  const waits = readiness.inviteWay.map(({ nextRetry }) => Date.parse(nextRetry ?? '') - now);
  const next = Math.min(...waits.filter((ms) => ms > 0), soonMs);
  return Math.ceil(next / 1_000);
}
