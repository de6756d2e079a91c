import { isIP } from 'node:net';
import { withoutBrackets } from '@steward/service-kit/http/addresses';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { pathOf } from '@steward/service-kit/http/request-log';
import { Problem } from '@steward/shared/problems/problem';
import { capital } from '@steward/shared/text';
import type { FastifyInstance } from 'fastify';

export interface BrowserRules {
  readonly allowedOrigins: ReadonlySet<string>;
  readonly allowedHosts: ReadonlySet<string>;
}

// Many clients name the type of a body also where they send none.
const allowedHeaders =
  'authorization, content-type, idempotency-key, if-none-match, last-event-id, x-request-id';
const exposedHeaders = [
  'etag',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'x-request-id',
  'x-snapshot-age-ms',
].join(', ');

/** With allowed origins, an answer to one caller is not one to all. */
export const varyByOrigin = { vary: 'origin' } as const;

/** How long a browser may remember what it was allowed. */
const rememberSeconds = 600;

/** Lets pages of the allowed origins, and no others, read answers; answers their browsers' questions beforehand. */
export function allowOrigins(
  server: Pick<FastifyInstance, 'addHook'>,
  allowedOrigins: ReadonlySet<string>,
): void {
  if (allowedOrigins.size === 0) return;
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(varyByOrigin);
    const { origin } = request.headers;
    if (origin === undefined || !allowedOrigins.has(origin)) return done();
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', exposedHeaders);
    const asked = request.headers['access-control-request-method'];
    const isQuestion = request.method === 'OPTIONS' && asked !== undefined;
    if (!isQuestion || request.server.methodsAt(pathOf(request)).length === 0) return done();
    reply
      .header('access-control-allow-methods', 'GET, HEAD, POST, DELETE')
      .header('access-control-allow-headers', allowedHeaders)
      .header('access-control-max-age', rememberSeconds)
      .code(204)
      .send();
  });
}

/** What protects a server that asks for no key from the pages that its users visit. */
export function refuseOtherSites(server: HttpServer, rules: BrowserRules): void {
  server.addHook('onRequest', ({ headers }, _reply, done) => {
    const why = whyRefused(
      {
        host: headers.host,
        origin: headers.origin,
        fetchSite: single(headers['sec-fetch-site']),
        fetchMode: single(headers['sec-fetch-mode']),
      },
      rules,
    );
    if (why === undefined) done();
    else done(new Problem('cross-site-request', capital(why)));
  });
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join() : header;
}

export interface RequestOrigin {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
}

/**
 * Why a browser's request is refused by a server that asks for no key, or undefined. A page of another site could
 * otherwise command the server through the browser of whoever visits it; a name that an attacker rebinds to this
 * machine's address would make that page look like this server's own.
 */
export function whyRefused(request: RequestOrigin, rules: BrowserRules): string | undefined {
  const { host, origin, fetchSite, fetchMode } = request;
  if (origin === undefined && fetchSite === undefined) return undefined;
  const named = urlOf(`http://${host ?? ''}`);
  if (named === undefined || !isTrustedName(named.hostname, rules))
    return `a browser may not reach this server as ${JSON.stringify(shown(host))}: use its IP address, or add the name to API_ALLOWED_HOSTS`;
  if (origin !== undefined) {
    if (rules.allowedOrigins.has(origin) || isOrigin(origin, host ?? '')) return undefined;
    return `pages of ${JSON.stringify(shown(origin))} may not use this server: add that origin to API_ALLOWED_ORIGINS`;
  }
  // Following a link from elsewhere, say to the docs page, only reads; whatever changes something carries an Origin.
  if (fetchSite === 'cross-site' && fetchMode !== 'navigate')
    return 'pages of other sites may not use this server: add their origin to API_ALLOWED_ORIGINS';
  return undefined;
}

/** An origin as browsers send it, or undefined if the text is none. */
export function normalOrigin(text: string): string | undefined {
  const url = urlOf(text);
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  return url.origin === text.toLowerCase().replace(/\/$/, '') ? url.origin : undefined;
}

/** A host's name in lower case, or undefined if the text has anything else to it. */
export function hostName(text: string): string | undefined {
  const url = urlOf(`http://${text}`);
  return url?.host === text.toLowerCase() && url.port === '' ? url.hostname : undefined;
}

function isOrigin(origin: string, host: string): boolean {
  const page = urlOf(origin);
  // A proxy may speak TLS for this server, so the scheme is the page's; the default port goes by it.
  return page !== undefined && page.host !== '' && page.host === urlOf(`${page.protocol}//${host}`)?.host;
}

function isTrustedName(hostname: string, { allowedHosts }: BrowserRules): boolean {
  const bare = withoutBrackets(hostname);
  return isIP(bare) !== 0 || bare === 'localhost' || allowedHosts.has(bare);
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function shown(text: string | undefined): string {
  return (text ?? '').slice(0, 100);
}
