import type { HttpServer } from '@steward/service-kit/http/http-server';
import { type Endpoint, isWrite, methodAndPath } from '@steward/shared/api/endpoint';
import { type EndpointId, endpoints } from '@steward/shared/api/endpoints';
import type { FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Caller } from '../../keys/caller.ts';
import { sendJson, sendPrepared } from '../bodies/prepared-answer.ts';
import type { PreparedRead } from '../bodies/state-reads.ts';
import type { Asked, Handler, Handlers, OwnRoute } from './handler.ts';
import { type Run, recorded, type WritesParts } from './recorded-write.ts';
import { frameworkPath, requestSchema } from './request-schema.ts';

type AnyHandler = Handler<EndpointId> | PreparedRead | OwnRoute;

/** Adds the routes of these endpoints, as they are declared. */
export function addEndpoints(server: HttpServer, handlers: Partial<Handlers>, writes: WritesParts): void {
  for (const [id, handler] of Object.entries(handlers)) {
    const action = id as EndpointId;
    const endpoint: Endpoint = endpoints[action];
    // Each handler is typed by its own id, and what is given to it was read by the same.
    const route = routeOf(action, endpoint, handler as AnyHandler, writes);
    const { method } = methodAndPath(endpoint);
    for (const url of urlsOf(endpoint))
      server.route({
        method,
        url,
        ...route,
        config: { scope: endpoint.scope, parameters: endpoint.query, action },
        schema: requestSchema(endpoint),
      });
  }
}

function urlsOf(endpoint: Endpoint): readonly string[] {
  const url = frameworkPath(methodAndPath(endpoint).path);
  return 'folder' in endpoint ? [url, `${url}/*`] : [url];
}

function routeOf(id: EndpointId, endpoint: Endpoint, handler: AnyHandler, writes: WritesParts): OwnRoute {
  if (typeof handler === 'function') return { handler: sendAnswer(id, endpoint, handler, writes) };
  return 'answer' in handler ? { handler: sendAsPrepared(handler) } : handler;
}

function sendAsPrepared({ answer, ageMs }: PreparedRead): RouteHandlerMethod {
  return (request, reply) => sendPrepared(request, reply, answer(request.caller), ageMs());
}

function sendAnswer(
  id: EndpointId,
  endpoint: Endpoint,
  handler: Handler<EndpointId>,
  writes: WritesParts,
): RouteHandlerMethod {
  const run: Run = async (request, reply) => await handler(askedOf(request), reply);
  const answer = isWrite(endpoint) ? recorded(id, endpoint, run, writes) : run;
  return async (request, reply) => {
    sendJson(reply, await answer(request, reply));
    return reply;
  };
}

function askedOf({ params, query, headers, caller }: FastifyRequest): Asked<EndpointId> {
  const key = headers['idempotency-key'];
  return {
    path: params as Asked<EndpointId>['path'],
    query: query as Asked<EndpointId>['query'],
    idempotencyKey: typeof key === 'string' ? keyOf(caller, key) : undefined,
    caller,
  };
}

/** An idempotency key belongs to who sent it: no header has the space in between. */
function keyOf({ keyId }: Caller, key: string): string {
  return keyId === undefined ? key : `${keyId} ${key}`;
}
