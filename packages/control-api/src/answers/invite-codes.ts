import type { StateParams } from '@steward/shared/bridge/state/sections';
import { inviteCode } from '@steward/shared/invite-code';
import { lobbyVisibility } from '@steward/shared/lobby-visibility';
import { z } from 'zod';
import type { BridgeState } from '../bridge/link/bridge-state.ts';
import { isConnected } from '../readiness/connected.ts';

export interface InviteCodes {
  /** Leads through the primary platform's relay. */
  readonly platform?: string;
  /** Leads through the cross-platform network. */
  readonly network?: string;
}

/** The codes that can work now. Both carry the network lobby's id; the platform's also needs relay and link. */
export function inviteCodesOf({ sections, link }: BridgeState): InviteCodes {
  const lobby = openLobby(sections);
  if (lobby === undefined || !isConnected(link.status) || sections.status?.isOnline !== true) return {};
  const id = BigInt(lobby.id);
  const linked = lobby.platformLobbyId !== undefined && sections.networks?.relay.serverId !== undefined;
  return { network: inviteCode('G', id), ...(linked ? { platform: inviteCode('S', id) } : {}) };
}

function openLobby({ networks }: StateParams) {
  const { signedIn, lobby } = networks?.network ?? {};
  return signedIn === true && lobby?.visibility === lobbyVisibility ? lobby : undefined;
}

export const inviteCodeAnswer = z
  .object({
    inviteCode: z
      .string()
      .optional()
      .meta({ description: 'What players type in; absent while there is none', examples: ['S1A2B3C4D5E'] }),
    error: z.string().optional().meta({ description: 'Why there is none' }),
  })
  .meta({ id: 'InviteCode' });

export function inviteCodeOf(state: BridgeState): z.infer<typeof inviteCodeAnswer> {
  const { platform, network } = inviteCodesOf(state);
  const code = platform ?? network;
  return code === undefined ? { error: whyNone(state) } : { inviteCode: code };
}

function whyNone({ sections, link }: BridgeState): string {
  if (!isConnected(link.status)) return `There is no invite code: ${link.why}`;
  if (sections.status?.isOnline !== true) return 'There is no invite code: no farm is hosted';
  const { network } = sections.networks ?? {};
  if (network?.signedIn !== true)
    return `There is no invite code: the game is not signed in to the network${network?.why === undefined ? '' : `: ${network.why}`}`;
  if (network.lobby === undefined) return 'There is no invite code: the network lobby is not open yet';
  return `There is no invite code: the lobby is ${network.lobby.visibility} and not yet public`;
}
