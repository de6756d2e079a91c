import { inviteCode } from '@steward/shared/invite-code';
import { lobbyVisibility } from '@steward/shared/lobby-visibility';
import type { WayFacts } from './facts.ts';
import { gameAway } from './hosting.ts';

export interface InviteCodes {
  /** Leads through the primary platform's relay. */
  readonly platform?: string;
  /** Leads through the cross-platform network. */
  readonly network?: string;
}

/**
 * The codes that work now. Both carry the network lobby's id. That of the network lives as long as that lobby, whatever
 * the sidecar does; that of the platform needs the platform lobby and the link to it as well.
 */
export function codesOf(facts: WayFacts): InviteCodes {
  const { sections, selfHosted } = facts.bridge;
  if (gameAway(facts.bridge) !== undefined) return {};
  if (selfHosted !== undefined) return selfHosted.codes;
  const { signedIn, lobby } = sections.networks?.network ?? {};
  if (signedIn !== true || lobby?.visibility !== lobbyVisibility) return {};
  const id = BigInt(lobby.id);
  return { network: inviteCode('G', id), ...(isLinked(facts) ? { platform: inviteCode('S', id) } : {}) };
}

/** Whether the game's lobby leads to the platform lobby that players find there, and that one to the game. */
export function isLinked({ bridge, sidecar }: WayFacts): boolean {
  const { relay, network } = bridge.sections.networks ?? {};
  const linkedTo = network?.lobby?.platformLobbyId;
  if (linkedTo === undefined || relay?.serverId === undefined) return false;
  // Without a sidecar nobody but the game knows of a platform lobby, and its word counts.
  if (sidecar === undefined) return true;
  return sidecar.published?.lobbyId === linkedTo && sidecar.published.gameServerId === relay.serverId;
}
