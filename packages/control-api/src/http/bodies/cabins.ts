import type { AnswerOf } from '@steward/shared/api/answers';
import { withTwin } from '@steward/shared/api/answers/exact-id';
import type { BridgeState } from '../../game/state/bridge-state.ts';
export function cabinsOf({ sections }: BridgeState): AnswerOf<'listCabins'> {
  const { strategy = 'CabinStack', cabins = [], savedPositionPlayerIds = [] } = sections.cabins ?? {};
  const assigned = cabins.filter(({ isAssigned }) => isAssigned).length;
  return {
    strategy,
    totalCount: cabins.length,
    assignedCount: assigned,
    availableCount: cabins.length - assigned,
    cabins: cabins.map(({ ownerId, ...rest }) => ({ ...rest, ...withTwin('ownerId', ownerId) })),
    savedPositionPlayerIds: savedPositionPlayerIds.map(BigInt),
    savedPositionPlayerIdStrs: savedPositionPlayerIds,
  };
}
