import type { Accounts } from '../accounts/accounts.ts';
import type { Tokens } from '../authentication/tokens.ts';
import type { CdnHost } from '../cdn/cdn.ts';
import type { HttpAnswer } from '../faults/answer-http.ts';
import type { Caller, ServiceDirectory } from '../services/service-method.ts';
import { connectionManager } from '../transport/addresses.ts';
import { encodeVdf, type VdfTree, vdfList } from '../wire/key-values.ts';
import { eresult } from '../wire/numbers.ts';
import type { WebRequest, WebRoute } from './web-api.ts';

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

const cellId = 1;

/** IContentServerDirectoryService/GetServersForSteamPipe, as text; the CDN is plain HTTP, so no hook is needed to reach it. */
export function contentServerList(servers: readonly CdnHost[]): string {
  return encodeVdf({ response: { servers: vdfList(servers.map(contentServerEntry)) } });
}

function contentServerEntry({ address, plan }: CdnHost, index: number): VdfTree {
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

interface ServiceRouteParts {
  readonly services: ServiceDirectory;
  readonly accounts: Accounts;
  readonly tokens: Tokens;
}

/** Service methods over HTTPS: `/IAuthenticationService/PollAuthSessionStatus/v1/`, a protobuf in, a protobuf and an EResult header out. */
export function serviceRoute(parts: ServiceRouteParts): WebRoute {
  return (request) => {
    const [, service, method] = /^\/I(\w+)Service\/(\w+)\/v1\/$/.exec(request.url.pathname) ?? [];
    if (service === undefined || method === undefined) return undefined;
    const answered =
      request.eresult === undefined
        ? parts.services.call(`${service}.${method}`, message(request), caller(parts, request))
        : { eresult: request.eresult, body: Buffer.alloc(0) };
    return {
      status: 200,
      headers: { 'content-type': 'application/octet-stream', 'x-eresult': String(answered.eresult) },
      body: answered.body,
    };
  };
}

/** In the query of a GET, in a multipart form's field of a POST. */
function message({ url, body }: WebRequest): Buffer {
  const field = /name="input_protobuf_encoded"\r\n\r\n([^\r]*)/.exec(body)?.[1];
  return Buffer.from(url.searchParams.get('input_protobuf_encoded') ?? field ?? '', 'base64');
}

function caller({ accounts, tokens }: ServiceRouteParts, { url }: WebRequest): Caller {
  const token = url.searchParams.get('access_token');
  const claims = token === null ? undefined : tokens.read(token);
  if (claims === undefined || tokens.isExpired(claims) || !claims.iss.startsWith('r:')) return {};
  const account = accounts.withId(claims.sub);
  return account === undefined ? {} : { account };
}

/**
 * login.steampowered.com/jwt/checkdevice, which browsers ask about the machine token. The answer is always that the
 * code has gone out by e-mail: steam-session 1.9.4 leaves the cookie with the token out of this request.
 */
export const machineCheckRoute: WebRoute = ({ url }) => {
  if (url.pathname !== '/jwt/checkdevice') return undefined;
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ result: eresult.invalidLoginAuthCode })),
  };
};
