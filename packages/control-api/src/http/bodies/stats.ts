import type { AnswerOf } from '@steward/shared/api/answers';
import { timestampOf } from '@steward/shared/timestamp';
import type { BridgeState } from '../../game/state/bridge-state.ts';
import { isConnected } from '../../game/state/link-state.ts';

const noStats: AnswerOf<'getStats'> = {
  fps: 0,
  tps: 0,
  targetTps: 60,
  avgTickMs: 0,
  memoryMb: 0,
  gcGen0: 0,
  gcGen1: 0,
  gcGen2: 0,
  pendingActions: 0,
  gameThreadWaitMs: 0,
};

/** A game that is gone does nothing any more. */
export function statsOf({ sections, statsAt, link }: BridgeState): AnswerOf<'getStats'> {
  const { stats } = sections;
  if (stats === undefined || statsAt === undefined || !isConnected(link.status)) return noStats;
  return { ...stats, startedAtUtc: timestampOf(new Date(statsAt.getTime() - stats.uptimeSeconds * 1_000)) };
}

export function renderingOf({ sections }: BridgeState): AnswerOf<'getRendering'> {
  return { fps: sections.rendering?.fps ?? 0 };
}
