import type { BridgeState } from '../game/state/bridge-state.ts';
import { isConnected } from '../game/state/link-state.ts';
import { passes } from '../game/state/remedies.ts';
import { type Finding, sentence, waiting } from './finding.ts';

const startGame = 'Start the game, or look at its log';

/**
 * What a step of the game's waits for while there is no game that hosts. Until a game has told its whole state, what is
 * known is of the one before it, lobby and code included.
 */
export function gameAway({ link, sections, isWhole }: BridgeState): Finding | undefined {
  if (!isConnected(link.status)) return waiting(sentence(link.why, 'There is no game'), startGame);
  if (!isWhole) return waiting('The game has not told its whole state yet', passes);
  if (sections.status?.isOnline !== true)
    return waiting('No farm is hosted', 'Load a farm, or wait until it is loaded');
  return undefined;
}
