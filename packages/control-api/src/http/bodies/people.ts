import type { AnswerOf } from '@steward/shared/api/answers';
import { withTwin } from '@steward/shared/exact-id';
import { type BridgeState, isCurrent } from '../../game/state/bridge-state.ts';
import { knownFacts } from '../../ownership/ownership-map.ts';
import type { FarmView } from '../../status/farm-view.ts';

export function playersOf(state: BridgeState): AnswerOf<'listPlayers'> {
  const { sections, version, selfHosted } = state;
  const connected = isCurrent(state) ? (sections.players ?? []) : [];
  return {
    players: connected.map(({ id, name, isAdmin }) => ({
      ...withTwin('id', id),
      name,
      isOnline: true,
      ...(name === '' ? { isJoining: true } : {}),
      ...(selfHosted === undefined ? { isAdmin } : {}),
    })),
    version,
  };
}

export function farmhandsOf({ state, owners }: FarmView): AnswerOf<'listFarmhands'> {
  const { sections, version, selfHosted } = state;
  const isNow = isCurrent(state);
  const facts = knownFacts(owners, sections);
  return {
    farmhands: (sections.farmhands ?? []).map((slot) => ({
      ...withTwin('id', slot.id),
      name: slot.name,
      isCustomized: slot.isCustomized,
      isOnline: isNow && slot.isOnline,
      ...(selfHosted === undefined ? { isAdmin: slot.isAdmin, ...facts(slot) } : {}),
    })),
    version,
  };
}

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
