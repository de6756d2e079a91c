import { contentServerList } from '../catalogue/content-servers.ts';
import type { CdnHost } from '../cdn/cdn-host.ts';
import type { HttpAnswer } from '../faults/answer-http.ts';
import { connectionManager } from '../transport/hosts.ts';
import { encodeVdf, vdfList } from '../wire/vdf.ts';
import type { WebRoute } from './web-api.ts';

/** Source: docs/platform-emulator.md, wire: connection managers. Only WebSocket: TCP's handshake needs the real platform's private key. */
const connectionManagerEntry = {
  endpoint: connectionManager,
  legacy_endpoint: connectionManager,
  type: 'websockets',
  dc: 'emulator',
  realm: 'steamglobal',
  load: 10,
  wtd_load: 10,
};

/** ISteamDirectory/GetCMListForConnect. */
export const connectionManagerRoute: WebRoute = ({ url }) => {
  if (!url.pathname.startsWith('/ISteamDirectory/GetCMListForConnect/')) return undefined;
  // A client that insists on another transport gets an honest empty list.
  const wanted = url.searchParams.get('cmtype');
  const list = wanted === null || wanted === 'websockets' ? [connectionManagerEntry] : [];
  return vdf(encodeVdf({ response: { serverlist: vdfList(list), success: 1, message: '' } }));
};

/** IContentServerDirectoryService/GetServersForSteamPipe. */
export function contentServerRoute(servers: readonly CdnHost[]): WebRoute {
  return ({ url }) =>
    url.pathname.startsWith('/IContentServerDirectoryService/GetServersForSteamPipe/')
      ? vdf(contentServerList(servers))
      : undefined;
}

function vdf(body: string): HttpAnswer {
  return { status: 200, headers: { 'content-type': 'text/vdf; charset=UTF-8' }, body: Buffer.from(body) };
}
