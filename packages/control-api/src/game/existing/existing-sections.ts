import { cabin, cabinsSection } from '@steward/shared/bridge/state/cabins';
import type { WholeState } from '@steward/shared/bridge/state/sections';
import { season } from '@steward/shared/bridge/state/status';
import type { OperationCommandName } from '../operations/operation.ts';
import type { SelfHosted } from '../state/self-hosted.ts';
import type {
  ExistingCabins,
  ExistingFarmhands,
  ExistingPlayers,
  ExistingSettings,
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
  readonly settings: ExistingSettings;
}

/** The same in the words of the bridge. What that server does not tell is said to be unknown, never made up. */
export function sectionsOf(reads: ExistingReads): WholeState {
  const { status, players, farmhands, cabins, rendering, stats } = reads;
  const online = new Set(players.players.map(({ id }) => id));
  const { steamInviteCode: _steam, gogInviteCode: _gog, version: _version, ...rest } = status;
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
    networks: {
      relay: { why: untold },
      network: { signedIn: false, why: untold },
      directIp: { listening: false, why: untold },
    },
  };
}

const untold = 'the existing server does not tell';

/** Before anything was heard of it. */
export const unheard: SelfHosted = {
  name: 'the existing server',
  codes: {},
  settings: { game: {}, server: {} },
  instead: {
    rebindFarmhand: 'its console has `farmhand rebind`',
    releaseFarmhand: 'its console has `farmhand release`',
    applySettings: 'change its own settings file, and have it read anew by its POST /reload or a restart',
    save: 'it saves at the end of each day',
    stop: 'stop its container',
  } satisfies Partial<Record<OperationCommandName, string>>,
};

/** What it says of the things that it sees to by itself. */
export function selfHostedOf({
  status: { steamInviteCode, gogInviteCode },
  settings,
}: ExistingReads): SelfHosted {
  return {
    ...unheard,
    settings,
    codes: {
      ...(steamInviteCode === undefined ? {} : { platform: steamInviteCode }),
      ...(gogInviteCode === undefined ? {} : { network: gogInviteCode }),
    },
  };
}
