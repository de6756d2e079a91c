import type { Clock } from '@steward/service-kit/clock';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import { type Endpoint, isWrite, methodAndPath, type Write } from '@steward/shared/api/endpoint';
import { type EndpointId, endpoints } from '@steward/shared/api/endpoints';
import { Problem } from '@steward/shared/problems/problem';
import type { FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { Caller } from '../../keys/caller.ts';
import { sendJson, sendPrepared } from '../bodies/prepared-answer.ts';
import type { PreparedRead } from '../bodies/state-reads.ts';
import type { Asked, Handler, Handlers, OwnRoute } from './handler.ts';
import { frameworkPath, requestSchema } from './request-schema.ts';

type AnyHandler = Handler<EndpointId> | PreparedRead | OwnRoute;

/** Where it stands what became of a write. */
export interface WritesParts {
  readonly operations: Pick<GameBridge['operations'], 'find'>;
  readonly clock: Pick<Clock, 'date'>;
}

/** Adds the routes of these endpoints, as they are declared. */
export function addEndpoints(server: HttpServer, handlers: Partial<Handlers>, writes: WritesParts): void {
  for (const [id, handler] of Object.entries(handlers)) {
    const endpoint: Endpoint = endpoints[id as EndpointId];
    // Each handler is typed by its own id, and what is given to it was read by the same.
    const route = routeOf(endpoint, handler as AnyHandler, writes);
    const { method } = methodAndPath(endpoint);
    for (const url of urlsOf(endpoint))
      server.route({
        method,
        url,
        ...route,
        config: { scope: endpoint.scope, parameters: endpoint.query },
        schema: requestSchema(endpoint),
      });
  }
}

function urlsOf(endpoint: Endpoint): readonly string[] {
  const url = frameworkPath(methodAndPath(endpoint).path);
  return 'folder' in endpoint ? [url, `${url}/*`] : [url];
}

function routeOf(endpoint: Endpoint, handler: AnyHandler, writes: WritesParts): OwnRoute {
  if (typeof handler === 'function') return { handler: sendAnswer(endpoint, handler, writes) };
  return 'answer' in handler ? { handler: sendAsPrepared(handler) } : handler;
}

function sendAsPrepared({ answer, ageMs }: PreparedRead): RouteHandlerMethod {
  return (request, reply) => sendPrepared(request, reply, answer(request.caller), ageMs());
}

function sendAnswer(
  endpoint: Endpoint,
  handler: Handler<EndpointId>,
  writes: WritesParts,
): RouteHandlerMethod {
  const log = isWrite(endpoint) ? logWrite(endpoint, writes) : () => {};
  return async (request, reply) => {
    const asked = writes.clock.date();
    try {
      const answer = await handler(askedOf(request), reply);
      log(request, asked, answer);
      sendJson(reply, answer);
      return reply;
    } catch (error) {
      if (error instanceof Problem) log(request, asked, error.extras);
      throw error;
    }
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

/** One line for whatever was done, or may have been. What a retry is answered with was done, and told, before it was asked. */
function logWrite({ audit }: Write, { operations }: WritesParts) {
  return ({ id, query, log }: FastifyRequest, asked: Date, answer: object): void => {
    const operationId = 'operationId' in answer ? String(answer.operationId) : '';
    const operation = operations.find(operationId);
    if (operation === undefined || Date.parse(operation.createdAt) < asked.getTime()) return;
    const line = { requestId: id, operationId, parameters: Object.keys(query as object) };
    if (operation.state === 'applied') log.info(line, audit);
    if (operation.state === 'unknown') log.info(line, `${audit}, or may be: its outcome is unknown`);
  };
}
