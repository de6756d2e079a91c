import { encodeVdf, type VdfTree, vdfList } from '../wire/vdf.ts';

/** A content server as the platform's list names it. */
export interface ContentServer {
  /** With its port: `127.0.0.1:40123`. */
  readonly host: string;
  readonly type?: 'CDN' | 'SteamCache';
  /** Clients prefer the lower one. */
  readonly weightedLoad?: number;
  /** It serves these apps only; absent means all. */
  readonly allowedAppIds?: readonly number[];
  /** It wants a token (see GetCDNAuthToken) behind every path. */
  readonly needsToken?: boolean;
}

const cellId = 1;

/** IContentServerDirectoryService/GetServersForSteamPipe, as text; the CDN is plain HTTP, so no hook is needed to reach it. */
export function contentServerList(servers: readonly ContentServer[]): string {
  return encodeVdf({ response: { servers: vdfList(servers.map(entry)) } });
}

function entry(server: ContentServer, index: number): VdfTree {
  const load = server.weightedLoad ?? index + 1;
  return {
    type: server.type ?? 'SteamCache',
    source_id: index + 1,
    cell_id: cellId,
    load,
    weighted_load: load,
    num_entries_in_client_list: 1,
    host: server.host,
    vhost: server.host,
    https_support: 'none',
    ...(server.needsToken === true ? { usetokenauth: 1 } : {}),
    ...(server.allowedAppIds === undefined ? {} : { allowed_app_ids: vdfList(server.allowedAppIds) }),
  };
}
