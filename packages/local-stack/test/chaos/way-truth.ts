import type { ChaosWorld } from './chaos-world.ts';
import { isShown } from './farm-eye.ts';
import type { ListedLobby } from './platform-ward.ts';

const publicType = 2;

export interface Codes {
  readonly network?: string;
  readonly platform?: string;
}

/** The codes that work now, from the farm and the platform themselves; undefined while they cannot be asked. */
export async function workingCodes({ orders, platform }: ChaosWorld): Promise<Codes | undefined> {
  const [farm, lobbies] = await Promise.all([orders.show(), platform.listed()]);
  if (farm === undefined || lobbies === undefined) return undefined;
  // A farm that is not there has no lobby.
  if (!isShown(farm)) return {};
  const [, network, code] = /^Codes +(G\w+) and (S\w+)/m.exec(farm) ?? [];
  if (network === undefined || code === undefined || !/^Network +signed in$/m.test(farm)) return {};
  const [, leadsTo] = /^Codes .*\(leads to (\d+)\)$/m.exec(farm) ?? [];
  const [, serverId] = /^Relay +(\d+)$/m.exec(farm) ?? [];
  const isThere = ({ id, type, gameServerId }: ListedLobby) =>
    id === leadsTo && type === publicType && gameServerId === serverId;
  return lobbies.some(isThere) ? { network, platform: code } : { network };
}
