import type { AnswerOf } from '@steward/shared/api/answers';
import type { EndpointId, PathOf, PreparedId, QueryOf } from '@steward/shared/api/endpoints';
import type { FastifyReply, RouteOptions } from 'fastify';
import type { Caller } from '../../keys/caller.ts';
import type { PreparedRead } from '../bodies/state-reads.ts';

/** What a request asks for, as its endpoint declares it. */
export interface Asked<Id extends EndpointId> {
  readonly path: PathOf<Id>;
  readonly query: QueryOf<Id>;
  readonly idempotencyKey: string | undefined;
  readonly caller: Caller;
}

/** Gives the answer, which is sent for it; the reply is for a status or a header that goes with it, and for who waits for it. */
export type Handler<Id extends EndpointId> = (
  asked: Asked<Id>,
  reply: Pick<FastifyReply, 'code' | 'header' | 'raw' | 'request'>,
) => AnswerOf<Id> | Promise<AnswerOf<Id>>;

/** For what is no JSON, or no answer at all: it sends by itself. */
export type OwnRoute = Omit<RouteOptions, 'method' | 'url' | 'schema'>;

export type HandlerOf<Id extends EndpointId> = Id extends PreparedId ? PreparedRead : Handler<Id> | OwnRoute;

/** What does the work of these endpoints; the compiler says which is missing. */
export type Handlers<Id extends EndpointId = EndpointId> = { readonly [One in Id]: HandlerOf<One> };
