import type { Clock } from '@steward/service-kit/clock';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { ShownSection } from '../../game/state/bridge-state.ts';

/** How old what is shown of these sections is; a clock that was set back meanwhile makes no age below zero. */
export function snapshotAgeMs(
  bridge: Pick<GameBridge, 'toldAt'>,
  sections: readonly ShownSection[],
  clock: Clock,
): number | undefined {
  const toldAt = bridge.toldAt(sections);
  return toldAt === undefined ? undefined : Math.max(0, clock.date().getTime() - toldAt.getTime());
}
