import { pause } from '@steward/service-kit/clock';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Loss, RequestFault, RequestFaults } from '../faults/request-faults.ts';
import { DiscordError, refused } from '../rules/discord-error.ts';
import type { World } from '../world/world.ts';
import { RateLimited, type RateLimits } from './rate-limits.ts';
import type { Call, Route } from './route.ts';

/** Below it stands every route; other versions are refused. */
const base = '/api/v10';

/** A request and what became of it. */
export interface Asked {
  readonly at: number;
  readonly route: string;
  readonly path: string;
  readonly body: unknown;
  /** What was answered, whether it has arrived or not; absent while nothing was. */
  status?: number;
}

export interface RestParts {
  readonly world: World;
  readonly routes: readonly Route[];
  readonly limits: RateLimits;
  readonly faults: RequestFaults;
  /** Told of each request before anything is done, and again when it is answered. */
  readonly record: (asked: Asked) => void;
  readonly changed: () => void;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

/** The server of the REST API. */
export function restServer(parts: RestParts): FastifyInstance {
  const server = fastify({
    forceCloseConnections: true,
    // Libraries encode the `@` of `@me` and `@original`, which is no other path for that.
    rewriteUrl: ({ url = '/' }) => url.replaceAll('%40', '@'),
  });
  for (const route of parts.routes) {
    const [method = '', path = ''] = route.route.split(' ');
    server.route({
      method,
      url: `${base}${path}`,
      handler: (request, reply) => serve(parts, route, request, reply),
    });
  }
  server.setNotFoundHandler((request, reply) => {
    const error = isOtherVersion(request.url) ? refused('wrongVersion') : refused('notFound');
    return reply.code(error.status).send(error.body);
  });
  server.setErrorHandler((error: { readonly code?: string }, _request, reply) => {
    // Of the server's own objections a client can meet those to a body; all else is a mistake of this double.
    const { status, body } = refused(error.code?.startsWith('FST_ERR_CTP') ? 'notJson' : 'ownMistake');
    if (status >= 500) process.emitWarning(String(error));
    return reply.code(status).send(body);
  });
  return server;
}

function isOtherVersion(url: string): boolean {
  return url.startsWith('/api/') && !url.startsWith(`${base}/`);
}

async function serve(parts: RestParts, route: Route, request: FastifyRequest, reply: FastifyReply) {
  const { world, record, faults, changed } = parts;
  const asked: Asked = { at: world.clock.now(), route: route.route, path: request.url, body: request.body };
  record(asked);
  const fault = faults.decide(route.route);
  if (fault.delayMs !== undefined) await pause(fault.delayMs, world.clock, AbortSignal.any([]));
  if (fault.before !== undefined) return lose(fault.before, request, reply);
  const answer = answerTo(parts, route, request, fault);
  asked.status = answer.status;
  changed();
  if (fault.after !== undefined) return lose(fault.after, request, reply);
  return reply.code(answer.status).headers(answer.headers).send(answer.body);
}

function lose(loss: Loss, { raw }: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (typeof loss === 'number') return reply.code(loss).type('text/html').send(`<h1>${loss}</h1>`);
  reply.hijack();
  if (loss === 'reset') raw.socket.resetAndDestroy();
  else raw.socket.destroy();
  return reply;
}

/** Everything that is checked before a route is asked, in Discord's order; then what the route answers. */
function answerTo(
  { world, limits }: RestParts,
  route: Route,
  request: FastifyRequest,
  { rateLimited }: RequestFault,
): Answer {
  let headers: Readonly<Record<string, string>> = {};
  try {
    const shutOutMs = limits.shutOutForMs;
    if (shutOutMs > 0) return shutOut(shutOutMs);
    if (!isUserAgent(request.headers['user-agent'])) throw refused('blocked');
    if (route.by === 'bot' && request.headers.authorization !== `Bot ${world.application.token}`)
      throw refused('unauthorized');
    const call = callOf(request);
    const asked = {
      route: route.route,
      major: (route.major ?? []).map((name) => call.params[name] ?? '').join('/'),
      asker: route.by === 'bot' ? 'bot' : 'address',
      isInteraction: isOfInteraction(route, call, world),
    } as const;
    if (rateLimited !== undefined) throw new RateLimited(rateLimited.retryAfterMs, rateLimited.scope);
    limits.takeOfAll(asked);
    if (route.major !== undefined) {
      const taken = limits.takeOfRoute(asked);
      headers = taken.headers;
      if (taken.refusal !== undefined) throw taken.refusal;
    }
    const body = route.answer(call);
    return body === undefined ? { status: 204, headers } : { status: 200, headers, body };
  } catch (error) {
    if (error instanceof RateLimited) {
      limits.countInvalid(429, error);
      return { status: 429, headers: { ...headers, ...error.headers }, body: error.body };
    }
    if (!(error instanceof DiscordError)) throw error;
    limits.countInvalid(error.status, undefined);
    return { status: error.status, headers, body: error.body };
  }
}

/** Told by whoever stands before the API, without any of its headers. */
function shutOut(forMs: number): Answer {
  return {
    status: 429,
    headers: { 'Retry-After': String(Math.ceil(forMs / 1_000)), 'Content-Type': 'text/html' },
    body: '<h1>Error 1015: You are being rate limited</h1>',
  };
}

/** `DiscordBot (url, version)`, and what a library may add. */
function isUserAgent(value = ''): boolean {
  return /^DiscordBot \(\S+, \S+\)/.test(value);
}

function callOf({ params, query, body }: FastifyRequest): Call {
  return {
    params: params as Record<string, string>,
    query: query as Record<string, string>,
    body,
  };
}

function isOfInteraction({ route }: Route, { params }: Call, { application }: World): boolean {
  return route.includes('/interactions/') || params['webhookId'] === application.id;
}
