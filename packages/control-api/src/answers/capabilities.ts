import { isCommandName } from '@steward/shared/bridge/commands';
import type { BridgeState } from '../bridge/link/bridge-state.ts';
import { ownershipCommands } from '../ownership/ownership-commands.ts';
import { isConnected } from '../readiness/connected.ts';

/** What can be asked for now: what the connected game can do, and what this service does itself where it rules. */
export function capabilitiesOf({ link, game, selfHosted }: BridgeState): string[] {
  const ofTheGame = isConnected(link.status) ? (game?.capabilities ?? []).filter(isCommandName) : [];
  const own = selfHosted === undefined ? Object.keys(ownershipCommands) : [];
  return [...ofTheGame, ...own].toSorted();
}
