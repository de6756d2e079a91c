import { bearerToken } from '@steward/service-kit/http/bearer';
import { eventsListed } from '@steward/shared/api/endpoints/events';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { keptTopicNames } from '@steward/shared/events/event-types';
import { shownEvent } from '@steward/shared/events/shown-event';
import { Problem } from '@steward/shared/problems/problem';
import type { Seats } from '../../events/seats.ts';
import type { WaitingReads } from '../../events/waiting-reads.ts';
import { type Cursor, parseCursor } from '../../game/state/event-log.ts';
import { unreadable } from '../../store/state-problems.ts';
import { stateReadIds } from '../bodies/state-reads.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { KeyGuard } from '../guards/authentication.ts';
import { choiceFor, takeSeat } from '../guards/listening.ts';
import type { HandlerParts } from './parts.ts';

const secondMs = 1_000;

const anyReadMayBeNew: StewardEvent = { type: 'state.changed', data: { reads: stateReadIds } };

export interface EventHandlersParts extends Pick<HandlerParts, 'keys' | 'instance' | 'clock'> {
  readonly reads: Pick<WaitingReads, 'page'>;
  readonly seats: Seats;
  /** Undefined where the server has no key. */
  readonly guard: KeyGuard | undefined;
}

export function eventHandlers({
  reads,
  keys,
  instance,
  clock,
  seats,
  guard,
}: EventHandlersParts): Pick<Handlers, 'getEvents'> {
  return {
    async getEvents(
      { query: { after, before, topics, limit = eventsListed.usual, wait = 0 }, caller },
      reply,
    ) {
      if (wait > 0 && before !== undefined)
        throw new Problem(
          'invalid-parameter',
          'wait cannot be used together with before: there are no new events before a past place',
        );
      const { request } = reply;
      const heard = choiceFor(request, topics, guard);
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const asked = {
        after: placeOf('after', after),
        before: placeOf('before', before),
        // All of them are read faster than each.
        topics: keptTopicNames.every((topic) => heard.topics.has(topic)) ? undefined : [...heard.topics],
        limit,
      };
      const page = await reads
        .page(asked, {
          caller,
          ms: wait * secondMs,
          takeSeat: () => takeSeat(seats, 'poll', request),
          gone: gone.signal,
        })
        .catch(unreadable('Events cannot be read now'));
      if (page === 'key-ended') throw keys.refusalOf(bearerToken(request.headers.authorization) ?? '');
      const { gap, cursor } = page;
      const events = page.events.map((logged) =>
        shownEvent(logged.event, logged, heard.seesIdentities, instance),
      );
      // Of what is not stored no page can tell what was told meanwhile.
      if (after !== undefined && topics?.includes('state'))
        events.push(shownEvent(anyReadMayBeNew, { at: clock.date(), cursor }, false, instance));
      return { events, gap, cursor };
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
