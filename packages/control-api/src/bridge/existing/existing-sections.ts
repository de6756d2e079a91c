import { cabin, cabinsSection } from '@steward/shared/bridge/state/cabins';
import type { StateParams, WholeState } from '@steward/shared/bridge/state/sections';
import { season } from '@steward/shared/bridge/state/status';
import { parseInviteCode } from '@steward/shared/invite-code';
import { lobbyVisibility } from '@steward/shared/lobby-visibility';
import type {
  ExistingCabins,
  ExistingFarmhands,
  ExistingPlayers,
  ExistingStats,
  ExistingStatus,
} from './existing-wire.ts';

/** All that the existing server was last seen to say. */
export interface ExistingReads {
  readonly status: ExistingStatus;
  readonly players: ExistingPlayers;
  readonly farmhands: ExistingFarmhands;
  readonly cabins: ExistingCabins;
  readonly rendering: { readonly fps: number };
  readonly stats: ExistingStats;
}

/** The same in the words of the bridge. What that server does not tell is said to be unknown, never made up. */
export function sectionsOf(reads: ExistingReads): WholeState {
  const { status, players, farmhands, cabins, rendering, stats } = reads;
  const online = new Set(players.players.map(({ id }) => id));
  const { steamInviteCode, gogInviteCode, version, ...rest } = status;
  return {
    // It has no id that lasts for a farm's life, so nothing is remembered under one.
    farm: null,
    status: { ...rest, season: season.safeParse(status.season).data ?? '' },
    players: players.players.map(({ id, name }) => ({ id, name, connectionId: '', isAdmin: false })),
    farmhands: farmhands.farmhands.map(({ id, name, isCustomized }) => ({
      ...{ id, name, isCustomized },
      isOnline: online.has(id),
      isAdmin: false,
    })),
    cabins: {
      strategy: cabinsSection.shape.strategy.safeParse(cabins.strategy).data ?? 'None',
      cabins: cabins.cabins.map(({ type, ...each }) => ({
        ...each,
        type: cabin.shape.type.safeParse(type).data ?? 'Normal',
      })),
      savedPositionPlayerIds: cabins.savedPositionPlayerIds,
    },
    rendering,
    stats,
    networks: networksOf(status),
  };
}

function networksOf({ gogInviteCode }: ExistingStatus): StateParams['networks'] & object {
  const code = gogInviteCode === undefined ? undefined : parseInviteCode(gogInviteCode);
  return {
    relay: { why: 'the existing server does not tell' },
    network:
      code?.ok === true
        ? { signedIn: true, lobby: { id: code.value.lobbyId.toString(), visibility: lobbyVisibility } }
        : { signedIn: false, why: 'the existing server has no invite code' },
    directIp: { listening: false, why: 'the existing server does not tell' },
  };
}
