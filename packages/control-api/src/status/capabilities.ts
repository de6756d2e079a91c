import { ownCommandNames } from '@steward/shared/api/answers/operations';
import { isCommandName } from '@steward/shared/bridge/commands';
import type { BridgeState } from '../game/state/bridge-state.ts';
import { isConnected } from '../game/state/link-state.ts';

/** What can be asked for now: what the connected game can do, and what this service does itself where it rules. */
export function capabilitiesOf({ link, game, selfHosted }: BridgeState): string[] {
  const ofTheGame = isConnected(link.status) ? (game?.capabilities ?? []).filter(isCommandName) : [];
  const own = selfHosted === undefined ? ownCommandNames : [];
  return [...ofTheGame, ...own].toSorted();
}
