import type { Clock, Timer } from '@steward/service-kit/clock';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { Cursor, Events } from '../game/state/event-log.ts';
import type { Caller, Keys } from '../keys/caller.ts';
import { CatchUp, type Past, type Wanted } from './catch-up.ts';
import { type Choice, isChosen } from './choice.ts';
import { type Encode, EventFrames, type EventTexts } from './event-frames.ts';
import { type Feed, Feeds, type Listener, type ToldCounts } from './feeds.ts';
import type { GatheringLimits } from './gathering.ts';
import { Outbox, type Sink } from './outbox.ts';

/** A line on which nothing is said is taken for dead by proxies, the busiest of them after a minute. */
const beatMs = 15_000;
/** Before a reader that has been cut off comes back. */
const retryMs = 2_000;

/** Why this service ends a stream. */
export type StreamClosing = 'slow-reader' | 'key-ended' | 'past-unreadable' | 'stopping';

/** The way to one reader. */
export interface StreamSink extends Sink {
  /** Ends it behind what was written; resolves when it is gone. */
  end(): Promise<void>;
  /** Cuts it off: what was written is not read. */
  cut(): void;
}

export interface StreamsParts {
  readonly events: Events<StewardEvent>;
  readonly live: Pick<Events<StewardEvent>, 'follow'>;
  /** Undefined where the server has no key. */
  readonly keys: Pick<Keys, 'onEnded'> | undefined;
  readonly limits: GatheringLimits & { readonly unreadBytes: number };
  readonly texts: EventTexts;
  readonly clock: Clock;
}

/** What a reader asks for. */
export interface AskedStream {
  readonly caller: Caller;
  readonly choice: Choice;
  /** Begins behind this place; without one now. */
  readonly after: Cursor | undefined;
}

/** Without a name of its own each event is a `message`: a reader hears also what a later version adds. */
export const encodeForStreams: Encode = ({ cursor }, text) => {
  const frame = `id: ${cursor}\ndata: ${text()}\n\n`;
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(frame));
  bytes.write(frame);
  return bytes;
};

/** Says nothing but where the reader is, so that it comes back there however seldom there is something for it. */
function placeFrame(cursor: string): Buffer {
  return Buffer.from(`:\nid: ${cursor}\n\n`);
}

const comment = Buffer.from(':\n\n');
const retry = Buffer.from(`retry: ${retryMs}\n:\n\n`);

/** Everybody who reads what happens as Server-Sent Events. */
export class EventStreams {
  readonly closed: Record<StreamClosing, number> = {
    'slow-reader': 0,
    'key-ended': 0,
    'past-unreadable': 0,
    stopping: 0,
  };
  opened = 0;
  resumed = 0;
  gaps = 0;
  readonly #clock: Clock;
  readonly #limits: StreamsParts['limits'];
  readonly #catchUp: CatchUp;
  readonly #texts: EventTexts;
  readonly #frames: EventFrames;
  readonly #feeds: Feeds;
  readonly #forgetKeys: (() => void) | undefined;
  readonly #open = new Set<EventStream>();
  #beating: Timer | undefined;

  constructor({ events, live, keys, limits, texts, clock }: StreamsParts) {
    this.#clock = clock;
    this.#limits = limits;
    this.#catchUp = new CatchUp(events);
    this.#texts = texts;
    this.#frames = new EventFrames(texts, encodeForStreams);
    this.#feeds = new Feeds({ events, live, frames: this.#frames, limits });
    this.#forgetKeys = keys?.onEnded(
      (ended) => void this.#end('key-ended', ({ caller }) => caller === ended),
    );
  }

  /** What was written of all that happened. */
  get told(): ToldCounts {
    return this.#feeds.told;
  }

  /** Takes a reader in; returns what is to be done when it has gone. */
  open(sink: StreamSink, asked: AskedStream): () => void {
    const { caller, choice, after } = asked;
    this.opened += 1;
    const outbox = new Outbox(sink, this.#limits.unreadBytes, this.#clock, () => this.#drop(stream));
    const stream = new EventStream(sink, caller, outbox);
    stream.feed = this.#feeds.join(choice, stream);
    this.#open.add(stream);
    const { head } = this.#catchUp;
    outbox.write(retry);
    if (after === undefined) outbox.write(placeFrame(head));
    else this.#catchUpWith(stream, choice, after, head);
    this.#beating ??= this.#beatLater();
    return () => this.#forget(stream);
  }

  /** Ends every stream, behind what was told before; resolves when they are gone. */
  async close(): Promise<void> {
    this.#forgetKeys?.();
    this.#feeds.stop();
    this.#beating?.cancel();
    await this.#end('stopping', () => true);
  }

  #catchUpWith(stream: EventStream, choice: Choice, after: Cursor, head: string): void {
    const wanted: Wanted = (logged) =>
      isChosen(choice, logged.event) ? this.#frames.of(logged, choice.seesIdentities) : undefined;
    const tell = ({ frames, gap, from, cursor }: Past) => {
      this.resumed += 1;
      if (gap) this.gaps += 1;
      stream.outbox.replay([...(gap ? [this.#gapFrame(from)] : []), ...frames, placeFrame(cursor)]);
    };
    const isThere = () => this.#open.has(stream);
    const past = this.#catchUp.read(after, head, wanted, isThere);
    if (past instanceof Promise) {
      stream.outbox.hold();
      past.then(
        (read) => {
          if (isThere()) tell(read);
        },
        // It comes back with the place that it had.
        () => void this.#end('past-unreadable', (each) => each === stream),
      );
    } else tell(past);
  }

  #gapFrame(cursor: string): Buffer {
    const gap = this.#texts.gap({ at: this.#clock.date(), cursor });
    return Buffer.from(`id: ${cursor}\ndata: ${gap}\n\n`);
  }

  async #end(why: StreamClosing, isMeant: (stream: EventStream) => boolean): Promise<void> {
    const ends = [...this.#open].filter(isMeant).map((stream) => {
      this.closed[why] += 1;
      this.#forget(stream);
      return stream.sink.end();
    });
    await Promise.all(ends);
  }

  /** Does not read, and nobody waits for it. */
  #drop(stream: EventStream): void {
    if (!this.#open.has(stream)) return;
    this.closed['slow-reader'] += 1;
    this.#forget(stream);
    stream.sink.cut();
  }

  #forget(stream: EventStream): void {
    this.#open.delete(stream);
    stream.leave();
  }

  /** As long as there is anybody to say something to. */
  #beatLater(): Timer {
    return this.#clock.after(beatMs, () => {
      this.#feeds.flush();
      const place = placeFrame(this.#catchUp.head);
      // Who still reads what was told before is told the place with it.
      for (const { outbox } of [...this.#open]) outbox.write(outbox.isUpToDate ? place : comment);
      this.#beating = this.#open.size > 0 ? this.#beatLater() : undefined;
    });
  }
}

/** One reader. */
class EventStream implements Listener {
  readonly caller: Caller;
  readonly sink: StreamSink;
  readonly outbox: Outbox;
  feed: Feed | undefined;

  constructor(sink: StreamSink, caller: Caller, outbox: Outbox) {
    this.caller = caller;
    this.sink = sink;
    this.outbox = outbox;
  }

  deliver(frames: Buffer): boolean {
    return this.outbox.deliver(frames);
  }

  leave(): void {
    this.feed?.leave(this);
    this.outbox.drop();
  }
}
