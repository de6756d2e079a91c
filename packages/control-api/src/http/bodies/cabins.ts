import { cabinStrategy } from '@steward/shared/bridge/settings';
import { cabin } from '@steward/shared/bridge/state/cabins';
import { z } from 'zod';
import type { BridgeState } from '../../game/state/bridge-state.ts';
import { exactId, exactIdText, withTwin } from './exact-id.ts';

const count = z.int().min(0);

export const cabinsAnswer = z
  .object({
    strategy: cabinStrategy,
    totalCount: count,
    assignedCount: count,
    availableCount: count,
    cabins: z.array(
      cabin.extend({
        ownerId: exactId.meta({
          description: 'The id of the slot, also of a fresh one; 0 where there is none',
        }),
        ownerIdStr: exactIdText,
      }),
    ),
    savedPositionPlayerIds: z.array(exactId),
    savedPositionPlayerIdStrs: z.array(exactIdText),
  })
  .meta({ id: 'Cabins' });

export function cabinsOf({ sections }: BridgeState): z.infer<typeof cabinsAnswer> {
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
