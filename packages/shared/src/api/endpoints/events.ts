import { cursorGrammar, type Topic, topicNames, topics } from '../../events/event-types.ts';
import { choice, form, integer, type Kind, list, moment } from '../../kinds.ts';
import { accepted, refused } from '../../parsed.ts';
import { type Endpoints, optional } from '../endpoint.ts';

export const eventsListed = { most: 1_000, usual: 100 } as const;

/** How long a page is waited for at most: shorter than what proxies wait for an answer. */
const longestWaitSeconds = 25;

const cursor = form({ allowed: 'a cursor from this server', pattern: cursorGrammar, longest: 64 });

/** A cursor stays text, a time becomes a `Date`. */
const place: Kind<string | Date> = {
  allowed: `${cursor.allowed}, or ${moment.allowed}`,
  json: { type: 'string', maxLength: 64 },
  parse(text) {
    const given = cursor.parse(text);
    if (given.ok) return given;
    const time = moment.parse(text);
    return time.ok ? accepted(new Date(time.value)) : refused('is not one of them');
  },
};

const named = list({
  allowed: `topics, separated by commas: ${topicNames.join(', ')}`,
  item: choice(topicNames).parse,
});

const topicsMeant: Kind<readonly Topic[]> = {
  ...named,
  json: { type: 'string', minLength: 1 },
  parse(text) {
    const parsed = named.parse(text);
    if (!parsed.ok) return refused('names none, or another');
    return parsed.value.length === 0 ? refused('names none') : accepted([...new Set(parsed.value)]);
  },
};

const chosen = optional(topicsMeant, {
  means: 'Only events of these topics; by default all that the key may read',
  example: 'players,invites',
});

/** Whoever may hear of one topic may ask; what of is a question of each. */
const scope = topics.chat.hear;

export const eventEndpoints = {
  getEvents: {
    on: 'GET /events',
    group: 'Events',
    scope,
    summary: 'Events, page by page or live',
    description:
      'In order, kept across restarts for `EVENTS_KEEP_DAYS`. Without `after` you get the newest; with it, the events after that place. Use the `cursor` of one answer as the `after` of the next, and you miss nothing and get nothing twice. With `wait`, an answer without events waits for the first one. `gap` says that some of the requested events are lost. A key with only the scope `chat` gets the topic `chat`; only keys with `moderate` see players’ identities.',
    query: {
      after: optional(place, {
        means: 'Only events after this cursor, or since this time; the oldest first',
        example: 'k3f9x-42',
      }),
      before: optional(place, {
        means: 'Only events before this cursor, or before this time',
        example: '2026-11-22T19:00:00Z',
      }),
      topics: chosen,
      limit: optional(integer({ min: 1, max: eventsListed.most }), {
        means: `The maximum number; ${eventsListed.usual} by default`,
        example: 20,
      }),
      wait: optional(integer({ min: 0, max: longestWaitSeconds }), {
        means:
          'If there are no events yet: answer as soon as there is one, or after this many seconds. Not together with `before`',
        example: 25,
      }),
    },
    problems: ['too-many-connections'],
  },
  streamEvents: {
    on: 'GET /events/stream',
    group: 'Events',
    scope,
    summary: 'Live events as Server-Sent Events',
    mediaType: 'text/event-stream',
    endless: true,
    description:
      'For `EventSource` and `curl -N`. The `id` of each event is its cursor, and its `data` is the event as in `GET /events`, as JSON on one line. Events have no name, so `onmessage` gets them all. Every 15 seconds there is a comment, with the `id` of the current place. To miss nothing after a reconnect, send the last `id` in the header `Last-Event-ID`, as `EventSource` does by itself; that header takes precedence over `after`. An event of the type `gap` replaces lost events.',
    query: {
      after: optional(cursor, {
        means: 'Start after this cursor; by default with events from now on',
        example: 'k3f9x-42',
      }),
      topics: chosen,
    },
    problems: ['too-many-connections'],
  },
} as const satisfies Endpoints;
