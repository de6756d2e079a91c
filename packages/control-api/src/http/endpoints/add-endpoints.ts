import type { HttpServer } from '@steward/service-kit/http/http-server';
import { type Endpoint, isWrite, methodAndPath, type Write } from '@steward/shared/api/endpoint';
import { type EndpointId, endpoints } from '@steward/shared/api/endpoints';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyRequest, RouteHandlerMethod } from 'fastify';
import { sendJson, sendPrepared } from '../bodies/prepared-answer.ts';
import type { PreparedRead } from '../bodies/state-reads.ts';
import type { Asked, Handler, Handlers, OwnRoute } from './handler.ts';
import { frameworkPath, requestSchema } from './request-schema.ts';

type AnyHandler = Handler<EndpointId> | PreparedRead | OwnRoute;

/** Adds the routes of these endpoints, as they are declared. */
export function addEndpoints(server: HttpServer, handlers: Partial<Handlers>): void {
  for (const [id, handler] of Object.entries(handlers)) {
    const endpoint: Endpoint = endpoints[id as EndpointId];
    // Each handler is typed by its own id, and what is given to it was read by the same.
    const route = routeOf(endpoint, handler as AnyHandler);
    const { method } = methodAndPath(endpoint);
    for (const url of urlsOf(endpoint))
      server.route({ method, url, ...route, schema: requestSchema(endpoint) });
  }
}

function urlsOf(endpoint: Endpoint): readonly string[] {
  const url = frameworkPath(methodAndPath(endpoint).path);
  return 'folder' in endpoint ? [url, `${url}/*`] : [url];
}

function routeOf(endpoint: Endpoint, handler: AnyHandler): OwnRoute {
  if (typeof handler === 'function') return { handler: sendAnswer(endpoint, handler) };
  return 'answer' in handler ? { handler: sendAsPrepared(handler) } : handler;
}

function sendAsPrepared({ answer, ageMs }: PreparedRead): RouteHandlerMethod {
  return (request, reply) => sendPrepared(request, reply, answer(), ageMs());
}

function sendAnswer(endpoint: Endpoint, handler: Handler<EndpointId>): RouteHandlerMethod {
  const logDone = isWrite(endpoint) ? logWrite(endpoint) : () => {};
  return async (request, reply) => {
    try {
      const answer = await handler(askedOf(request), reply);
      logDone(request, answer);
      sendJson(reply, answer);
      return reply;
    } catch (error) {
      if (error instanceof Problem && error.extras['applied'] === null) logDone(request, error.extras);
      throw error;
    }
  };
}

function askedOf({ params, query, headers }: FastifyRequest): Asked<EndpointId> {
  const key = headers['idempotency-key'];
  return {
    path: params as Asked<EndpointId>['path'],
    query: query as Asked<EndpointId>['query'],
    idempotencyKey: typeof key === 'string' ? key : undefined,
  };
}

/** One line for whatever was done, or may have been; what was only tried out is no operation. */
function logWrite({ audit }: Write) {
  return ({ id, query, log }: FastifyRequest, told: object): void => {
    if (!('operationId' in told)) return;
    const { operationId } = told;
    const line = { requestId: id, operationId, parameters: Object.keys(query as object) };
    log.info(line, 'applied' in told ? `${audit}, or may be: its outcome is unknown` : audit);
  };
}
