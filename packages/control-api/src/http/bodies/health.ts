import type { AnswerOf } from '@steward/shared/api/answers';
import { timestampOf } from '@steward/shared/wire-values';
import type { GameBridge } from '../../game/game-bridge.ts';
import { isConnected, isCurrent } from '../../game/state/bridge-state.ts';
import { bridgeLimits } from '../../game/state/limits.ts';
import type { FarmView } from '../../status/farm-view.ts';
import { isJoinable, obstaclesOf } from '../../status/obstacles.ts';

/** Most of what keeps players out is over sooner or later than anybody can say. */
const soonMs = 5_000;

export function healthOf(
  { state, ticks }: Pick<GameBridge, 'state' | 'ticks'>,
  now: Date,
): AnswerOf<'getHealth'> {
  const { link, sections } = state;
  const { status, stats } = sections;
  const isNow = isCurrent(state);
  // Of a game that has come after another it is unknown until it has told everything.
  const isKnown = isNow || (status !== undefined && !isConnected(link.status));
  const isFrozen = ticks.ageMs === undefined || ticks.ageMs > bridgeLimits.frozenMs;
  return {
    status: isFrozen ? 'degraded' : 'ok',
    timestamp: timestampOf(now),
    ...(ticks.ageMs === undefined ? {} : { lastTickMs: Math.round(ticks.ageMs) }),
    pendingActions: isNow ? (stats?.pendingActions ?? 0) : 0,
    ...(isKnown ? { gameAvailable: isNow && !isFrozen && status?.isReady === true } : {}),
    tickCount: ticks.count ?? 0,
    game: { status: link.status, since: timestampOf(link.since) },
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
