import { type Topic, topics } from '@steward/shared/events/event-types';
import { Problem } from '@steward/shared/problems/problem';
import type { ProblemCode } from '@steward/shared/problems/problem-codes';
import type { FastifyRequest } from 'fastify';
import { allHeardBy, type Choice, choiceOf, mayHear } from '../../events/choice.ts';
import { type Door, fullSeconds, type SeatLimit, type Seats } from '../../events/seats.ts';
import { insufficient } from '../../keys/caller.ts';
import { whoAsks } from '../endpoints/recorded-write.ts';
import type { KeyGuard } from './authentication.ts';
import { clientOf } from './client-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether it waits for what happens, or has. */
    hasSeat: boolean;
  }
}

const problems: Readonly<Record<SeatLimit, readonly [code: ProblemCode, detail: string]>> = {
  connections: ['too-many-connections', 'The server has the maximum number of listeners'],
  'connections-per-address': [
    'too-many-requests',
    'Too many listeners from this address: close some of the connections',
  ],
};

/** What whoever finds no room is told. */
export function noSeat(limit: SeatLimit): Problem {
  return new Problem(...problems[limit], { retry: true }, { 'retry-after': String(fullSeconds) });
}

/** Takes a seat for who listens by this request; returns what gives it back. */
export function takeSeat(seats: Seats, door: Door, request: FastifyRequest): () => void {
  const seat = seats.take(door, clientOf(request.ip));
  if (typeof seat === 'string') throw noSeat(seat);
  request.hasSeat = true;
  return seat;
}

/** What who asks hears: the topics that are named, or all that there are for this key. */
export function choiceFor(
  request: FastifyRequest,
  named: readonly Topic[] | undefined,
  keys: Pick<KeyGuard, 'denied'> | undefined,
): Choice {
  const { caller } = request;
  const unheard = named?.find((topic) => !mayHear(caller, topic));
  if (unheard === undefined) return choiceOf(caller, named ?? allHeardBy(caller));
  const { action } = request.routeOptions.config;
  if (action !== undefined) keys?.denied(action, whoAsks(request));
  throw insufficient(`The topic ${unheard}`, caller, topics[unheard].hear);
}
