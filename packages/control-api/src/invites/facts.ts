import type { SidecarHealth } from '@steward/shared/sidecar/health';
import type { LobbyAnswer } from '@steward/shared/sidecar/lobby';
import type { BridgeState } from '../game/state/bridge-state.ts';
import type { SidecarAnswer } from '../sidecar/sidecar-answer.ts';

/** What was heard of the sidecar last. Undefined is not known yet. */
export interface SidecarFacts {
  readonly health: SidecarAnswer<SidecarHealth> | undefined;
  readonly lobby: SidecarAnswer<LobbyAnswer> | undefined;
  /** The platform lobby that players find, and the game server that it leads them to. */
  readonly published: PublishedLobby | undefined;
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
  | { readonly kind: 'refused'; readonly reason: string; readonly remedy?: string };

/** What became of the last attempt to have the game link its lobby. */
export type LinkFact =
  | { readonly kind: 'idle' | 'asked' }
  | { readonly kind: 'refused'; readonly reason: string; readonly remedy?: string; readonly retryAt?: Date };

/** All that the way is derived from. */
export interface WayFacts {
  readonly bridge: BridgeState;
  /** Undefined where PLATFORM_AUTH_URL is empty. */
  readonly sidecar: SidecarFacts | undefined;
  readonly ticket: TicketFact;
  readonly link: LinkFact;
}

export const nothingHeard: SidecarFacts = {
  health: undefined,
  lobby: undefined,
  published: undefined,
  lookAt: undefined,
};
