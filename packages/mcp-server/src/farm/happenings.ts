import { type Event, type Farm, StewardError, type Topic } from '@steward/client';
import { Backoff, type Clock, pause } from '@steward/service-kit/clock';
import { topicNames, topics } from '@steward/shared/events/event-types';
import { isGoodFor } from '@steward/shared/scopes';
import { type Access, ofTheKey } from './access.ts';

/** What there is to read and to subscribe to. */
export const resourceUris = { status: 'farm://status', events: 'farm://events' } as const;

export type ResourceUri = (typeof resourceUris)[keyof typeof resourceUris];

/** As many as the resource shows. */
const keptEvents = 50;

/** A burst is told once: whoever reads then reads all of it. */
const gatheringMs = 500;

/** Where the farm will not say what happens: the key has ended, or is good for nothing of it. */
const betweenTries = { firstMs: 1_000, factor: 2, longestMs: 30_000, steadyMs: 60_000 };

interface Parts {
  readonly farm: Pick<Farm, 'getEvents' | 'events'>;
  readonly access: Access;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (text: string) => void;
  readonly onUpdated: (uri: ResourceUri) => void;
}

/** Follows what happens: keeps the last of it, and tells when a resource would read otherwise. */
export class Happenings {
  readonly #parts: Parts;
  readonly #backoff: Backoff;
  readonly #ended = new AbortController();
  readonly #changed = new Set<ResourceUri>();
  #turn = new AbortController();
  #recent: Event[] = [];
  #notHeard: string | undefined = 'The farm has not been reached yet';

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#backoff = new Backoff(betweenTries, parts.random);
    // Another key hears other things.
    parts.access.onChange(() => {
      this.#recent = [];
      this.#turn.abort();
    });
  }

  /** The oldest first; and why there may be more of them, where nobody tells. */
  get told(): { readonly events: readonly Event[]; readonly notHeard?: string } {
    const events = this.#recent;
    return this.#notHeard === undefined ? { events } : { notHeard: this.#notHeard, events };
  }

  /** Until `stop`, whatever goes wrong. */
  async run(): Promise<void> {
    const { clock, access, log } = this.#parts;
    while (!this.#ended.signal.aborted) {
      const beganAt = clock.now();
      this.#turn = new AbortController();
      const signal = AbortSignal.any([this.#turn.signal, this.#ended.signal]);
      try {
        await access.refresh();
        await this.#follow(signal);
      } catch (error) {
        if (!(error instanceof StewardError)) throw error;
        if (error.code !== 'aborted') {
          if (this.#miss(error.detail)) log(`events do not arrive: ${error.detail} (${error.code})`);
        }
        // What a key was told that is good for it no more is not told on.
        if (ofTheKey.has(error.code)) this.#recent = [];
        access.doubt();
      }
      if (!signal.aborted) await pause(this.#backoff.pause(clock.now() - beganAt), clock, signal);
    }
  }

  stop(): void {
    this.#ended.abort();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { farm, log, access } = this.#parts;
    // Events would be refused, too, and a wrong key counted once more.
    if (access.trouble !== undefined && ofTheKey.has(access.trouble.code)) throw access.trouble;
    const heard = this.#heard();
    if (heard.length === 0) {
      this.#miss(access.trouble?.detail ?? 'The key in STEWARD_KEY may not read events');
      return;
    }
    const kept = heard.filter((topic) => !('isLive' in topics[topic]));
    const { events, cursor } = await farm.getEvents(
      { limit: keptEvents, topics: kept.join(',') },
      { signal },
    );
    this.#recent = events;
    this.#notHeard = undefined;
    this.#tell(resourceUris.events);
    for await (const event of farm.events({
      topics: heard,
      after: cursor,
      signal,
      onDrop: ({ detail }) => {
        if (this.#miss(detail)) log(`events from the farm do not arrive: ${detail}`);
        access.doubt();
      },
      onOpen: () => {
        // It may have come back as another one, with other keys.
        access.doubt();
        void access.refresh();
        if (this.#notHeard !== undefined) this.#tell(resourceUris.events);
        this.#notHeard = undefined;
        this.#tell(resourceUris.status);
      },
    }))
      this.#take(event);
  }

  #heard(): readonly Topic[] {
    const { granted } = this.#parts.access;
    return granted === undefined ? [] : topicNames.filter((topic) => isGoodFor(granted, topics[topic].hear));
  }

  #take(event: Event): void {
    if (event.type === 'state.changed') {
      if (event.data.reads.includes('getStatus')) this.#tell(resourceUris.status);
      return;
    }
    this.#recent = [...this.#recent, event].slice(-keptEvents);
    this.#tell(resourceUris.events);
  }

  /** Whether that is news. */
  #miss(reason: string): boolean {
    if (this.#notHeard === reason) return false;
    this.#tell(resourceUris.events);
    this.#notHeard = reason;
    return true;
  }

  #tell(uri: ResourceUri): void {
    if (this.#changed.size === 0)
      this.#parts.clock.after(gatheringMs, () => {
        const changed = [...this.#changed];
        this.#changed.clear();
        for (const each of changed) this.#parts.onUpdated(each);
      });
    this.#changed.add(uri);
  }
}
