import { inviteCode } from '@steward/shared/invite-code';
import type { Trouble } from '@steward/shared/problems/trouble';
import type { SidecarHealth } from '@steward/shared/sidecar/health';
import type { LobbyAnswer } from '@steward/shared/sidecar/platform';
import { lobbyVisibility } from '@steward/shared/wire-values';
import type { BridgeState } from '../game/state/bridge-state.ts';
import type { SidecarAnswer } from '../sidecar/sidecar-request.ts';
import { gameAway } from './step-finding.ts';

/** What was heard of the sidecar last. Undefined is not known yet. */
export interface SidecarFacts {
  readonly health: SidecarAnswer<SidecarHealth> | undefined;
  readonly lobby: SidecarAnswer<LobbyAnswer> | undefined;
  /** The platform lobby that players find, and the game server that it leads them to. */
  readonly published: PublishedLobby | undefined;
  /** Until when that lobby is left to another farm, which has put its own game server in the place of ours. */
  readonly takenUntil: Date | undefined;
  /** When it is asked again, while something is wrong. */
  readonly lookAt: Date | undefined;
}

export interface PublishedLobby {
  readonly lobbyId: string;
  readonly gameServerId: string;
}

/** What became of the ticket that the game asked for last. */
export type TicketFact =
  | { readonly kind: 'unasked' | 'asked' | 'given' }
  | ({ readonly kind: 'refused' } & Trouble);

/** What became of the last attempt to have the game link its lobby. */
export type LobbyLinkFact =
  | { readonly kind: 'idle' | 'asked' }
  | ({ readonly kind: 'refused'; readonly retryAt?: Date } & Trouble);

/** All that the steps and codes are derived from. */
export interface InviteFacts {
  readonly bridge: BridgeState;
  /** Undefined where PLATFORM_AUTH_URL is empty. */
  readonly sidecar: SidecarFacts | undefined;
  readonly ticket: TicketFact;
  readonly lobbyLink: LobbyLinkFact;
}

export const nothingHeard: SidecarFacts = {
  health: undefined,
  lobby: undefined,
  published: undefined,
  takenUntil: undefined,
  lookAt: undefined,
};

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
export function codesOf(facts: InviteFacts): InviteCodes {
  const { sections, selfHosted } = facts.bridge;
  if (gameAway(facts.bridge) !== undefined) return {};
  if (selfHosted !== undefined) return selfHosted.codes;
  const { signedIn, lobby } = sections.networks?.network ?? {};
  if (signedIn !== true || lobby?.visibility !== lobbyVisibility) return {};
  const id = BigInt(lobby.id);
  return { network: inviteCode('G', id), ...(isLinked(facts) ? { platform: inviteCode('S', id) } : {}) };
}

/** Whether the game's lobby leads to the platform lobby that players find there, and that one to the game. */
export function isLinked({ bridge, sidecar }: InviteFacts): boolean {
  const { relay, network } = bridge.sections.networks ?? {};
  const linkedTo = network?.lobby?.platformLobbyId;
  if (linkedTo === undefined || relay?.serverId === undefined) return false;
  // Without a sidecar nobody but the game knows of a platform lobby, and its word counts.
  if (sidecar === undefined) return true;
  return sidecar.published?.lobbyId === linkedTo && sidecar.published.gameServerId === relay.serverId;
}
