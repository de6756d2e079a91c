import type { FarmhandSlot } from '@steward/shared/bridge/state/people';
import type { BridgeState } from '../bridge/link/bridge-state.ts';
import { isConnected } from '../readiness/connected.ts';
import type { KnownFarm } from './ownership-register.ts';

export interface LoadedFarm extends KnownFarm {
  readonly slots: readonly FarmhandSlot[];
  readonly players: readonly { readonly id: string; readonly connectionId: string }[];
  /** Whether this is every slot that the farm has: a farm that is still loading may show fewer. */
  readonly isComplete: boolean;
}

/** The farm as the connected game has told of it, all of it, on this connection. */
export function loadedFarm({ link, isWhole, sections }: BridgeState): LoadedFarm | undefined {
  const { farm, farmhands, players = [], status } = sections;
  if (!isConnected(link.status) || !isWhole || !farm || farmhands === undefined) return undefined;
  const isComplete = status?.isOnline === true && farmhands.length > 0;
  return { ...farm, slots: farmhands, players, isComplete };
}
