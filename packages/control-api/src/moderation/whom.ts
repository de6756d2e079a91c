import type { ModerationList } from '@steward/shared/api/moderation-parameters';
import type { PlayerTarget } from '@steward/shared/bridge/commands';
import { identityOf, parseConnectionId } from '@steward/shared/connection-id';
import { Problem } from '@steward/shared/problems/problem';
import { farmhandMeant, type Refused, refused } from '../game/operations/farmhand-meant.ts';
import { type BridgeState, isConnected } from '../game/state/bridge-state.ts';
import { readAddressGiven, type WhichRow, type Whom } from './changes.ts';
import type { Owners } from './verdict.ts';

/** Whom somebody asks for: exactly one of them is there. */
export interface GivenWhom {
  readonly name?: string | undefined;
  readonly playerId?: string | undefined;
  readonly identity?: string | undefined;
  readonly address?: string | undefined;
}

/** A player is known by what the ownership map and the connection say of them: what their client declares says nothing. */
export function whomMeant(
  given: GivenWhom,
  list: ModerationList,
  state: BridgeState,
  { ownerOf, knowsOwner }: Owners,
): Whom | Refused {
  const { name = '', playerId, identity, address } = given;
  if (identity !== undefined) return { identity };
  if (address !== undefined) return { address: readAddressGiven(address) };
  const { link, isWhole, sections } = state;
  if (!isConnected(link.status) || !isWhole || sections.farmhands === undefined)
    return refused('not-ready', 'The farmhands are not known yet: try again when the game is connected');
  const target: PlayerTarget = playerId === undefined ? { name } : { playerId };
  const meant = farmhandMeant(sections.farmhands, target);
  if ('not' in meant) return meant.not;
  const { slot } = meant;
  const owner = ownerOf(slot.id);
  const connectionId = sections.players?.find(({ id }) => id === slot.id)?.connectionId;
  const online = connectionId === undefined ? undefined : identityIn(connectionId);
  // Whoever takes an empty slot next is somebody else: only who is in it now can be meant, or for whom it is reserved.
  if (list === 'bans' && !slot.isCustomized)
    return identityAlone(connectionId === undefined ? owner : online);
  const identities = [...new Set([owner, online])].filter((one) => one !== undefined);
  return {
    playerId: slot.id,
    ...(slot.name === '' ? {} : { playerName: slot.name }),
    // Where nobody can tell now, what the map says counts as soon as it can be read.
    ...(identities.length === 0 && !knowsOwner(slot.id) ? {} : { identities }),
  };
}

/** The row that is meant: whoever asks for a list need not have a game. */
export function rowMeant({ id, name, ...whom }: GivenWhom & { readonly id?: string | undefined }): WhichRow {
  if (id !== undefined) return { id };
  if (name !== undefined) return { name };
  return whom.address === undefined ? whom : { address: readAddressGiven(whom.address) };
}

function identityAlone(identity: string | undefined): Whom {
  if (identity !== undefined) return { identity };
  throw new Problem(
    'farmhand-not-found',
    'Nobody has created a farmhand in this slot yet, and no identity is known: ban an identity or an address',
  );
}

function identityIn(connectionId: string): string | undefined {
  const parsed = parseConnectionId(connectionId);
  return parsed.ok ? identityOf(parsed.value)?.id.toString() : undefined;
}
