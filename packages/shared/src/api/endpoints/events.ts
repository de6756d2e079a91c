import { cursorGrammar, type Topic, topicNames, topics } from '../../events/event-types.ts';
import { choice, form, integer, type Kind, list, moment } from '../../kinds.ts';
import { accepted, refused } from '../../parsed.ts';
import { type Endpoints, optional } from '../endpoint.ts';

export const eventsListed = { most: 1_000, usual: 100 } as const;

/** How long a page is waited for at most: shorter than what proxies wait for an answer. */
export const longestWaitSeconds = 25;

const cursor = form({ allowed: 'a cursor of this server', pattern: cursorGrammar, longest: 64 });

/** A cursor stays text, a time becomes a `Date`. */
const place: Kind<string | Date> = {
  allowed: `${cursor.allowed}, or ${moment.allowed}`,
  json: { type: 'string', maxLength: 64 },
  parse(text) {
    const given = cursor.parse(text);
    if (given.ok) return given;
    const time = moment.parse(text);
    return time.ok ? accepted(new Date(time.value)) : refused('is neither of them');
  },
};

const named = list({
  allowed: `topics between commas: ${topicNames.join(', ')}`,
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
  means: 'Only events of these topics; where nothing is said, of all that the key may hear',
  example: 'players,invites',
});

/** Whoever may hear of one topic may ask; what of is a question of each. */
const scope = topics.chat.hear;

export const eventEndpoints = {
  getEvents: {
    on: 'GET /events',
    group: 'Events',
    scope,
    summary: 'What happened, page by page, or as it happens',
    description:
      'In the order in which it happened, kept over restarts for `EVENTS_KEEP_DAYS`. Without `after` the newest; with it what came behind, so that `cursor` of one answer is the `after` of the next, and nothing is missed or comes twice. With `wait` an answer without events waits for the first one. `gap` says that some of what was asked for is gone. A key with the scope `chat` alone hears the topic `chat`; who may `moderate` sees the identities of players, others do not.',
    query: {
      after: optional(place, {
        means: 'Only what came behind this cursor, or from this time on; the oldest first come first',
        example: 'k3f9x-42',
      }),
      before: optional(place, {
        means: 'Only what came before the event of this cursor, or before this time',
        example: '2026-11-22T19:00:00Z',
      }),
      topics: chosen,
      limit: optional(integer({ min: 1, max: eventsListed.most }), {
        means: `How many at the most; ${eventsListed.usual} where nothing is said`,
        example: 20,
      }),
      wait: optional(integer({ min: 0, max: longestWaitSeconds }), {
        means:
          'Where there is nothing yet: answer as soon as there is, or after so many seconds without. Not together with `before`',
        example: 25,
      }),
    },
    problems: ['too-many-connections'],
  },
  streamEvents: {
    on: 'GET /events/stream',
    group: 'Events',
    scope,
    summary: 'What happens, as it happens, by Server-Sent Events',
    description:
      'For `EventSource` and `curl -N`. Of each event the `id` is its cursor and the `data` is what `GET /events` shows of it, as JSON on one line; it has no name of its own, so `onmessage` hears them all. Every 15 seconds a comment comes, with the `id` of the present place. A reader that comes back sends the last `id` as the header `Last-Event-ID`, as `EventSource` does by itself, and misses nothing; that header counts more than `after`. An event of the type `gap` stands in the place of what is gone.',
    query: {
      after: optional(cursor, {
        means: 'Begin behind this cursor; where nothing is said, with what happens from now on',
        example: 'k3f9x-42',
      }),
      topics: chosen,
    },
    problems: ['too-many-connections'],
  },
} as const satisfies Endpoints;
