import { bearerToken } from '@steward/service-kit/http/bearer';
import { type eventEndpoints, eventsListed } from '@steward/shared/api/endpoints/events';
import { type Topic, topicNames } from '@steward/shared/events/event-types';
import { shownEvent } from '@steward/shared/events/shown-event';
import { Problem } from '@steward/shared/problems/problem';
import { allHeardBy } from '../../events/choice.ts';
import type { Seats } from '../../events/seats.ts';
import type { WaitingReads } from '../../events/waiting-reads.ts';
import { type Cursor, parseCursor } from '../../game/events/event-log.ts';
import { type Caller, may } from '../../keys/caller.ts';
import { StoreError } from '../../store/store-error.ts';
import type { Handlers } from '../endpoints/handler.ts';
import { clientOf } from '../guards/client-address.ts';
import { takeSeat } from '../guards/seats.ts';
import type { HandlerParts } from './parts.ts';

const secondMs = 1_000;

export interface EventHandlersParts extends Pick<HandlerParts, 'keys'> {
  readonly reads: Pick<WaitingReads, 'page'>;
  readonly seats: Seats;
}

export function eventHandlers({
  reads,
  keys,
  seats,
}: EventHandlersParts): Handlers<keyof typeof eventEndpoints> {
  return {
    async getEvents(
      { query: { after, before, topics, limit = eventsListed.usual, wait = 0 }, caller },
      reply,
    ) {
      if (wait > 0 && before !== undefined)
        throw new Problem(
          'invalid-parameter',
          'wait cannot be given together with before: no more comes to pass before a place that was',
        );
      const { headers, ip } = reply.request;
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const asked = {
        after: placeOf('after', after),
        before: placeOf('before', before),
        topics: topics ?? heardBy(caller),
        limit,
      };
      const page = await reads
        .page(asked, {
          caller,
          ms: wait * secondMs,
          takeSeat: () => takeSeat(seats, 'poll', clientOf(ip)),
          gone: gone.signal,
        })
        .catch((error: unknown) => {
          if (!(error instanceof StoreError)) throw error;
          throw new Problem('state-unreadable', `Events cannot be read now: ${error.message}`, {
            retry: true,
          });
        });
      if (page === 'key-ended') throw keys.refusalOf(bearerToken(headers.authorization) ?? '');
      const seesIdentities = may(caller, 'moderate');
      const { gap, cursor } = page;
      const events = page.events.map((logged) => shownEvent(logged.event, logged, seesIdentities));
      return { events, gap, cursor };
    },
    streamEvents: {
      handler: (_request, reply) => reply.type('text/event-stream').send('retry: 1000\n\n'),
    },
  };
}

/** The form was asked for before. */
function placeOf(name: string, place: string | Date | undefined): Cursor | Date | undefined {
  if (typeof place !== 'string') return place;
  const cursor = parseCursor(place);
  if (!cursor.ok) throw new Problem('invalid-parameter', `${name} ${cursor.reason}`);
  return cursor.value;
}

/** Undefined for all of them, which are read faster. */
function heardBy(caller: Caller): readonly Topic[] | undefined {
  const heard = allHeardBy(caller);
  return heard.length < topicNames.length ? heard : undefined;
}
