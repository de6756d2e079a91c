import type { Accounts } from '../accounts/accounts.ts';
import type { Tokens } from '../authentication/tokens.ts';
import type { Caller, ServiceDirectory } from '../services/service-method.ts';
import type { WebRequest, WebRoute } from './web-api.ts';

export interface ServiceRouteParts {
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
