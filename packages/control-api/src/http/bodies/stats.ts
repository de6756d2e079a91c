import { renderingSection, statsSection } from '@steward/shared/bridge/state/status';
import { timestamp, timestampOf } from '@steward/shared/timestamp';
import type { z } from 'zod';
import type { BridgeState } from '../../game/state/bridge-state.ts';
import { isConnected } from '../../game/state/link-state.ts';

type Stats = z.infer<typeof statsSection>;

const noStats: Omit<Stats, 'uptimeSeconds'> = {
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

export const statsAnswer = statsSection
  .extend({
    uptimeSeconds: statsSection.shape.uptimeSeconds.optional(),
    startedAtUtc: timestamp.optional().meta({ description: 'Absent before the game has told its uptime' }),
  })
  .meta({ id: 'Stats' });

/** A game that is gone does nothing any more. */
export function statsOf({ sections, statsAt, link }: BridgeState): z.infer<typeof statsAnswer> {
  const { stats } = sections;
  if (stats === undefined || statsAt === undefined || !isConnected(link.status)) return noStats;
  return { ...stats, startedAtUtc: timestampOf(new Date(statsAt.getTime() - stats.uptimeSeconds * 1_000)) };
}

export const renderingAnswer = renderingSection.meta({ id: 'Rendering' });

export function renderingOf({ sections }: BridgeState): z.infer<typeof renderingAnswer> {
  return { fps: sections.rendering?.fps ?? 0 };
}
