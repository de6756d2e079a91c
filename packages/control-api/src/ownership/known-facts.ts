import type { OwnershipFacts } from '@steward/shared/api/answers/farmhands';
import type { BridgeState } from '../game/state/bridge-state.ts';
import { factsOf } from './owner.ts';
import type { OwnershipView } from './ownership.ts';

interface Shown {
  readonly id: string;
  readonly isCustomized: boolean;
}

/**
 * Whose a farmhand is, for those who may read it; undefined where nobody can tell: before the map of its farm is read, where it
 * cannot be, and where the record may have stood in one that was lost.
 */
export function knownFacts(
  { farmId, map }: Pick<OwnershipView, 'farmId' | 'map'>,
  { farm }: Pick<BridgeState['sections'], 'farm'>,
): (farmhand: Shown) => OwnershipFacts | undefined {
  if (map === undefined || farmId !== farm?.farmId) return () => undefined;
  // There may be thousands of both.
  const doubtful = new Set(map.doubts?.farmhands);
  return ({ id, isCustomized }) =>
    isCustomized && doubtful.has(id) ? undefined : factsOf(map.farmhands[id]);
}
