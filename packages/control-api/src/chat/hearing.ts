import type { ClientMessage } from '@steward/shared/chat/client-messages';
import type { ChatErrorCode } from '@steward/shared/chat/rules';
import type { ServerMessage } from '@steward/shared/chat/server-messages';
import { topics as declared, type Topic, topicNames } from '@steward/shared/events/event-types';
import type { CatchUp, Past, Wanted } from '../events/catch-up.ts';
import { allHeardBy, choiceOf, mayHear } from '../events/choice.ts';
import type { EventFrames } from '../events/event-frames.ts';
import type { Feed, Feeds, Listener } from '../events/feeds.ts';
import type { Outbox } from '../events/outbox.ts';
import { keptEvents } from '../game/bridge-events.ts';
import { type Cursor, parseCursor } from '../game/state/event-log.ts';
import { anybody, type Caller, whatIsLacking } from '../keys/caller.ts';
import { frameOf } from './chat-frames.ts';
import type { ChatCounts } from './closings.ts';

/** One of the manners in which what happens is told. */
export interface Manner {
  readonly feeds: Feeds;
  readonly frames: EventFrames;
}

export interface HearingParts {
  /** The chat as `chat`, as it always was. */
  readonly asChat: Manner;
  /** The chat as a topic like others. */
  readonly asEvents: Manner;
  readonly catchUp: CatchUp;
  readonly counts: Pick<ChatCounts, 'resumed' | 'gaps'>;
}

/** Why nothing came of a message. */
export interface Declined {
  readonly code: ChatErrorCode;
  readonly why: string;
}

/** Topics, each with the place from which on it is heard live. */
type Since = ReadonlyMap<Topic, string>;

type Asked<Type extends ClientMessage['type']> = NonNullable<
  Extract<ClientMessage, { type: Type; payload?: unknown }>['payload']
>;

/** What one connection hears: the chat, what it has subscribed to beside it, and once what it missed of both. */
export class Hearing implements Listener {
  readonly #outbox: Outbox;
  readonly #parts: HearingParts;
  readonly #lost: () => void;
  #since: Since = new Map();
  #caller = anybody;
  #manner: Manner;
  /** As long as it hears anything. */
  #feed: Feed | undefined;
  #hasCaughtUp = false;

  /** `lost`: what was missed cannot be read now, and a new connection may ask for it again. */
  constructor(outbox: Outbox, parts: HearingParts, lost: () => void) {
    this.#outbox = outbox;
    this.#lost = lost;
    this.#parts = parts;
    this.#manner = parts.asChat;
  }

  /** From now on it hears the chat. */
  begin(caller: Caller): void {
    this.#caller = caller;
    this.#feed = this.#manner.feeds.join(choiceOf(caller, ['chat']), this);
    this.#since = new Map([['chat', this.#parts.catchUp.head]]);
  }

  end(): void {
    this.#feed?.leave(this);
    this.#feed = undefined;
    this.#outbox.drop();
  }

  deliver(frames: Buffer): boolean {
    return this.#outbox.deliver(frames);
  }

  /** Writes what was told before this moment: no answer overtakes it. */
  flush(): void {
    this.#feed?.flush();
  }

  /** By another key: what that may not hear is not heard any more, and the client is told what is left. */
  goBy(caller: Caller): void {
    this.#caller = caller;
    const left = [...this.#since].filter(([topic]) => mayHear(caller, topic));
    const hearsLess = left.length < this.#since.size;
    this.#hear(new Map(left));
    if (hearsLess) this.#tellWhatIsLeft(undefined);
  }

  /** Tells what was said while the client was away. */
  resume(cursor: string | undefined): Declined | undefined {
    if (this.#hasCaughtUp) return alreadyResumed;
    const place = placeOf(cursor);
    if (place !== undefined && 'code' in place) return place;
    const joinedAt = this.#since.get('chat') ?? this.#parts.catchUp.head;
    const asked: Since = new Map([['chat', joinedAt]]);
    this.#catchUp(place, joinedAt, asked, ({ frames, gap }) => ({
      type: 'resumed',
      payload: { missed: frames.length, gap, cursor: joinedAt },
    }));
    return undefined;
  }

  subscribe({ topics, cursor, asEvents, id }: Asked<'subscribe'>): Declined | undefined {
    const unknown = unknownTopic(topics ?? []);
    if (unknown !== undefined) return unknown;
    const named =
      topics == null ? allHeardBy(this.#caller) : topicNames.filter((topic) => topics.includes(topic));
    const unheard = named.find((topic) => !mayHear(this.#caller, topic));
    if (unheard !== undefined) return lacking(unheard, this.#caller);
    const place = placeOf(cursor);
    if (place !== undefined && this.#hasCaughtUp) return alreadyResumed;
    if (place !== undefined && 'code' in place) return place;
    const { head } = this.#parts.catchUp;
    if (asEvents === true) this.#hearAsEvents();
    // Of what is heard already, the client has had what came since.
    this.#hear(new Map([...named.map((topic) => [topic, head] as const), ...this.#since]));
    const answer = (missed: number, gap: boolean): ServerMessage => ({
      type: 'subscribed',
      payload: {
        topics: this.#heard,
        cursor: head,
        missed,
        gap,
        asEvents: this.#isAsEvents || undefined,
        id: id ?? undefined,
      },
    });
    // Behind what of the past is still to come, as the place in it is.
    if (place === undefined) this.#outbox.deliver(frameOf(answer(0, false)));
    else this.#catchUp(place, head, this.#since, ({ frames, gap }) => answer(frames.length, gap));
    return undefined;
  }

  unsubscribe({ topics, id }: Asked<'unsubscribe'>): Declined | undefined {
    const unknown = unknownTopic(topics ?? []);
    if (unknown !== undefined) return unknown;
    const stays = (topic: Topic) => topic === 'chat' && !this.#isAsEvents;
    const isLeft = (topic: Topic) => stays(topic) || (topics != null && !topics.includes(topic));
    this.#hear(new Map([...this.#since].filter(([topic]) => isLeft(topic))));
    this.#tellWhatIsLeft(id ?? undefined);
    return undefined;
  }

  get #isAsEvents(): boolean {
    return this.#manner === this.#parts.asEvents;
  }

  /** What came as `chat` before is told once more where it is asked for: it was nothing to whoever asks. */
  #hearAsEvents(): void {
    if (this.#isAsEvents) return;
    this.#hear(new Map([...this.#since].filter(([topic]) => topic !== 'chat')));
    this.#manner = this.#parts.asEvents;
  }

  get #heard(): Topic[] {
    return topicNames.filter((topic) => this.#since.has(topic));
  }

  #tellWhatIsLeft(id: string | undefined): void {
    this.#outbox.deliver(frameOf({ type: 'unsubscribed', payload: { topics: this.#heard, id } }));
  }

  #hear(since: Since): void {
    if (this.#feed === undefined) return;
    this.#since = since;
    this.#feed.leave(this);
    this.#feed = this.#manner.feeds.join(choiceOf(this.#caller, since.keys()), this);
  }

  #catchUp(
    place: Cursor | undefined,
    upTo: string,
    asked: Since,
    answer: (past: Pick<Past, 'frames' | 'gap'>) => ServerMessage,
  ): void {
    this.#hasCaughtUp = true;
    // Of what is heard since another stretch of the log nobody can tell what came before in this one.
    const isTorn = asked.values().some((since) => epochOf(since) !== epochOf(upTo));
    const tell = ({ frames, gap: isGone }: Pick<Past, 'frames' | 'gap'>) => {
      const gap = isGone || isTorn;
      this.#parts.counts.resumed += 1;
      if (gap) this.#parts.counts.gaps += 1;
      this.#outbox.write(frameOf(answer({ frames, gap })));
      this.#outbox.replay(frames);
    };
    const isThere = () => this.#feed !== undefined;
    const past =
      place === undefined
        ? { frames: [], gap: false }
        : this.#parts.catchUp.read(place, upTo, this.#wanted(asked), isThere);
    if (past instanceof Promise) {
      this.#outbox.hold();
      past.then(
        (read) => {
          if (isThere()) tell(read);
        },
        () => {
          if (isThere()) this.#lost();
        },
      );
    } else tell(past);
  }

  /** Of the topics that it asked for and still hears, what it has not heard live. */
  #wanted(asked: Since): Wanted {
    const heardSince = new Map([...asked].map(([topic, place]) => [topic, parseCursor(place)]));
    return (logged) => {
      const topic = keptEvents.topicOf(logged.event);
      const since = topic && this.#since.has(topic) ? heardSince.get(topic) : undefined;
      if (!since?.ok || since.value.number < logged.number) return undefined;
      if (!logged.cursor.startsWith(`${since.value.epoch}-`)) return undefined;
      return this.#manner.frames.of(logged, this.#feed?.choice.seesIdentities ?? false);
    };
  }
}

const alreadyResumed: Declined = {
  code: 'already-resumed',
  why: 'This connection has already caught up; connect again to catch up again',
};

function epochOf(cursor: string): string | undefined {
  const place = parseCursor(cursor);
  return place.ok ? place.value.epoch : undefined;
}

/** Undefined where the client names none. */
function placeOf(cursor: string | null | undefined): Cursor | Declined | undefined {
  if (cursor == null) return undefined;
  const place = parseCursor(cursor);
  return place.ok ? place.value : { code: 'malformed-cursor', why: `The cursor ${place.reason}` };
}

function unknownTopic(given: readonly string[]): Declined | undefined {
  const unknown = given.find((name) => !Object.hasOwn(declared, name));
  if (unknown === undefined) return undefined;
  return {
    code: 'unknown-topic',
    why: `There is no topic ${JSON.stringify(unknown)}; the topics are ${topicNames.join(', ')}`,
  };
}

function lacking(topic: Topic, caller: Caller): Declined {
  return {
    code: 'insufficient-scope',
    why: `The topic ${topic} needs ${whatIsLacking(caller, declared[topic].hear)}`,
  };
}
