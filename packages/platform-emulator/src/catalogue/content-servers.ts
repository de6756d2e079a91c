import type { CdnHost } from '../cdn/cdn-host.ts';
import { encodeVdf, type VdfTree, vdfList } from '../wire/vdf.ts';

const cellId = 1;

/** IContentServerDirectoryService/GetServersForSteamPipe, as text; the CDN is plain HTTP, so no hook is needed to reach it. */
export function contentServerList(servers: readonly CdnHost[]): string {
  return encodeVdf({ response: { servers: vdfList(servers.map(entry)) } });
}

function entry({ address, plan }: CdnHost, index: number): VdfTree {
  // Clients prefer the lower load: the first host of the plan is the nearest.
  const load = index + 1;
  return {
    type: 'SteamCache',
    source_id: index + 1,
    cell_id: cellId,
    load,
    weighted_load: load,
    num_entries_in_client_list: 1,
    host: address,
    vhost: address,
    https_support: 'none',
    ...(plan.demandsToken === true ? { usetokenauth: 1 } : {}),
    ...(plan.allowedAppIds === undefined ? {} : { allowed_app_ids: vdfList(plan.allowedAppIds) }),
  };
}
