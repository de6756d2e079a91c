import type { StewardEvent } from '@steward/shared/events/event-data';
import { type Topic, topicNames } from '@steward/shared/events/event-types';
import { keptEvents } from '../game/bridge-events.ts';
import type { Events } from '../game/state/event-log.ts';
import type { Choice } from './choice.ts';
import type { EventFrames, Told } from './event-frames.ts';
import { Gathering, type GatheringLimits } from './gathering.ts';

/** Somebody who hears what happens. */
export interface Listener {
  /** Whole frames, in the order in which it happened. Returns whether they were taken. */
  deliver(frames: Buffer): boolean;
}

/** What has been told by a door since the start, once for each who was told. */
export interface ToldCounts {
  events: number;
  /** Of them lines of the chat. */
  chatLines: number;
}

export interface FeedsParts {
  readonly events: Pick<Events<StewardEvent>, 'follow'>;
  /** What is told now and never again: followed only while somebody chose it. */
  readonly live: Pick<Events<StewardEvent>, 'follow'>;
  readonly frames: EventFrames;
  readonly limits: GatheringLimits;
}

/**
 * All who listen by one door, those together who hear the same: what is told to them is gathered and written once for all. Each
 * is in one feed at a time, so that it hears everything in order.
 */
export class Feeds {
  readonly told: ToldCounts = { events: 0, chatLines: 0 };
  readonly #frames: EventFrames;
  readonly #limits: GatheringLimits;
  readonly #byChoice = new Map<string, Feed>();
  readonly #live: FeedsParts['live'];
  readonly #unfollow: () => void;

  constructor({ events, live, frames, limits }: FeedsParts) {
    this.#frames = frames;
    this.#limits = limits;
    this.#live = live;
    this.#unfollow = events.follow((logged) => this.#tell(logged, this.#byChoice.values()));
  }

  get listeners(): number {
    return this.#byChoice.values().reduce((sum, { size }) => sum + size, 0);
  }

  /** How many choices there are among them. */
  get size(): number {
    return this.#byChoice.size;
  }

  /** From now on the listener hears what it chose: nothing that was told before, whatever still waits to be written. */
  join(choice: Choice, listener: Listener): Feed {
    const name = nameOf(choice);
    // First: a write may give up the last who was in it, and the feed with them.
    this.#byChoice.get(name)?.flush();
    const feed = this.#byChoice.get(name) ?? this.#begin(name, choice);
    feed.add(listener);
    return feed;
  }

  /** Writes what waits. */
  flush(): void {
    for (const feed of this.#byChoice.values()) feed.flush();
  }

  /** Writes what waits, and nothing more. */
  stop(): void {
    this.#unfollow();
    for (const feed of this.#byChoice.values()) feed.stop();
  }

  #begin(name: string, choice: Choice): Feed {
    const ended = () => this.#byChoice.delete(name);
    const unfollow = choice.topics.has('state')
      ? this.#live.follow((logged) => this.#tell(logged, [feed]))
      : () => {};
    const feed: Feed = new Feed(choice, this.#limits, this.told, { ended, stopped: unfollow });
    this.#byChoice.set(name, feed);
    return feed;
  }

  #tell(logged: Told, feeds: Iterable<Feed>): void {
    const topic = keptEvents.topicOf(logged.event);
    if (topic === undefined) return;
    for (const feed of feeds)
      if (feed.choice.topics.has(topic))
        feed.tell(topic, this.#frames.of(logged, feed.choice.seesIdentities));
  }
}

/** What is to be done once nobody is in a feed any more, and once nothing more is written of it. */
interface FeedEnds {
  readonly ended: () => void;
  readonly stopped: () => void;
}

/** Those who hear the same. There is one as long as somebody is in it. */
export class Feed {
  readonly choice: Choice;
  readonly #listeners = new Set<Listener>();
  readonly #gathering: Gathering;
  readonly #ends: FeedEnds;
  /** Of the lines of the chat that wait to be written. */
  #chatLines = 0;

  constructor(choice: Choice, limits: GatheringLimits, told: ToldCounts, ends: FeedEnds) {
    this.choice = choice;
    this.#ends = ends;
    this.#gathering = new Gathering(limits, (frames, events) => {
      const chatLines = this.#chatLines;
      this.#chatLines = 0;
      let taken = 0;
      for (const listener of this.#listeners) if (listener.deliver(frames)) taken += 1;
      told.events += taken * events;
      told.chatLines += taken * chatLines;
    });
  }

  get size(): number {
    return this.#listeners.size;
  }

  add(listener: Listener): void {
    this.#listeners.add(listener);
  }

  /** What waits to be written is not for who leaves. */
  leave(listener: Listener): void {
    if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
    this.stop();
    this.#ends.ended();
  }

  tell(topic: Topic, frame: Buffer): void {
    if (topic === 'chat') this.#chatLines += 1;
    this.#gathering.add(frame);
  }

  /** Writes what waits. Called before anything that must not overtake it. */
  flush(): void {
    this.#gathering.flush();
  }

  stop(): void {
    this.#ends.stopped();
    this.#gathering.stop();
  }
}

/** The same for the same choice, in whatever order its topics were named. */
function nameOf({ topics, seesIdentities }: Choice): string {
  const named: readonly Topic[] = topicNames.filter((topic) => topics.has(topic));
  return `${named.join()} ${seesIdentities}`;
}
