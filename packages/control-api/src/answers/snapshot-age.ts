import type { Clock } from '@steward/service-kit/clock';
import type { GameBridge } from '../bridge/game-bridge.ts';

/** How long ago the game last told its state; a clock that was set back meanwhile makes no age below zero. */
export function snapshotAgeMs({ state }: Pick<GameBridge, 'state'>, clock: Clock): number | undefined {
  const { pushedAt } = state;
  return pushedAt === undefined ? undefined : Math.max(0, clock.date().getTime() - pushedAt.getTime());
}
