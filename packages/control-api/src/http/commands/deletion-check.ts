import type { PlayerTarget } from '@steward/shared/bridge/commands';
import { farmhandsMeant } from '@steward/shared/bridge/farmhands-meant';
import type { FarmhandSlot } from '@steward/shared/bridge/state/people';
import { Problem } from '@steward/shared/problems/problem';
import type { BridgeState } from '../../game/state/bridge-state.ts';
import { isConnected } from '../../game/state/link-state.ts';
import { ambiguous, notNow, unsupported } from './run-command.ts';

const retrySeconds = 5;

/** Which farmhand a deletion would delete, by the last pushed state; a problem where it would fail. */
export function farmhandToDelete(state: BridgeState, target: PlayerTarget): FarmhandSlot {
  const { link, game, sections } = state;
  if (!isConnected(link.status) || sections.farmhands === undefined)
    throw notNow(`Nobody can tell now which farmhands there are: ${link.why}`, retrySeconds);
  if (!game?.capabilities.includes('deleteFarmhand')) throw unsupported('deleteFarmhand');
  const [found, ...more] = farmhandsMeant(sections.farmhands, target);
  if (found === undefined)
    throw new Problem(
      'farmhand-not-found',
      'The farmhand was not found: GET /farmhands lists those that there are',
    );
  if (more.length > 0)
    throw ambiguous('Several farmhands have this name: give the playerId of one', [found, ...more]);
  if (found.isOnline)
    throw new Problem('farmhand-online', `${found.name || found.id} is online: try again when not`);
  return found;
}
