import type { FarmhandSlot } from '@steward/shared/bridge/state/people';
import type { BridgeState } from '../game/state/bridge-state.ts';
import { isConnected } from '../game/state/link-state.ts';
import type { KnownFarm } from './ownership-register.ts';

export interface LoadedFarm extends KnownFarm {
  readonly slots: readonly FarmhandSlot[];
  readonly players: readonly { readonly id: string; readonly connectionId: string }[];
}

/**
 * The farm as the connected game has told of it, all of it, on this connection; `isShown` where the slots and the status are
 * those of this farm, and of no other that was loaded before.
 */
export function loadedFarm(
  { link, isWhole, sections }: BridgeState,
  isShown: boolean,
): LoadedFarm | undefined {
  const { farm, farmhands, players = [], status } = sections;
  if (!isConnected(link.status) || !isWhole || !farm || farmhands === undefined) return undefined;
  const isComplete = isShown && status?.isOnline === true && farmhands.length > 0;
  return { ...farm, slots: farmhands, players, isComplete };
}
