import type { Clock } from '@steward/service-kit/clock';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { keptEvents } from '../game/bridge-events.ts';
import { type EventPage, type Events, type PageAsked, parseCursor } from '../game/state/event-log.ts';
import type { Caller, Keys } from '../keys/caller.ts';

/** Why a wait ended. */
type Ending = 'told' | 'over' | 'key-ended';

interface Waiter {
  readonly caller: Caller;
  readonly topics: PageAsked['topics'];
  readonly end: (ending: Ending) => void;
}

export interface WaitingReadsParts {
  readonly events: Events<StewardEvent>;
  readonly keys: Pick<Keys, 'onEnded'>;
  readonly clock: Pick<Clock, 'after'>;
}

/** What somebody waits for, and for how long. */
export interface Wait {
  readonly caller: Caller;
  readonly ms: number;
  /** Called before it waits; what it throws is what becomes of the read. What it returns gives the seat back. */
  readonly takeSeat: () => () => void;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
}

/** Pages of events that wait for the first one, where there is none. */
export class WaitingReads {
  readonly #parts: WaitingReadsParts;
  readonly #waiters = new Set<Waiter>();
  readonly #unfollow: () => void;
  readonly #forgetKeys: () => void;
  #isClosed = false;

  constructor(parts: WaitingReadsParts) {
    this.#parts = parts;
    this.#unfollow = parts.events.follow(({ event }) => {
      const topic = keptEvents.topicOf(event);
      for (const { topics, end } of this.#waiters)
        if (topic !== undefined && (topics === undefined || topics.includes(topic))) end('told');
    });
    this.#forgetKeys = parts.keys.onEnded((ended) => {
      for (const { caller, end } of this.#waiters) if (caller === ended) end('key-ended');
    });
  }

  /** How many wait. */
  get size(): number {
    return this.#waiters.size;
  }

  async page(asked: PageAsked, wait: Wait): Promise<EventPage<StewardEvent> | 'key-ended'> {
    const { events, clock } = this.#parts;
    const { promise: ended, resolve: end } = Promise.withResolvers<Ending>();
    let heardTo = '';
    // It listens before it reads: between the two nothing happens unheard.
    const waiter = {
      caller: wait.caller,
      topics: asked.topics,
      end: (ending: Ending) => {
        heardTo ||= events.head;
        end(ending);
      },
    };
    const leave = () => waiter.end('over');
    this.#waiters.add(waiter);
    try {
      const page = await events.page(asked);
      const isNow = wait.ms === 0 || this.#isClosed || wait.gone.aborted;
      if (isNow || page.events.length > 0 || page.gap) return page;
      const giveBack = wait.takeSeat();
      const timer = clock.after(wait.ms, leave);
      wait.gone.addEventListener('abort', leave);
      const ending = await ended.finally(() => {
        timer.cancel();
        wait.gone.removeEventListener('abort', leave);
        giveBack();
      });
      if (ending === 'key-ended') return ending;
      // Of these topics nothing had happened by then; what has since is for the next to ask.
      if (ending === 'over') return { ...page, cursor: heardTo };
      const behind = parseCursor(page.cursor);
      return await events.page({ ...asked, after: behind.ok ? behind.value : asked.after });
    } finally {
      this.#waiters.delete(waiter);
    }
  }

  /** Answers all who wait, and lets nobody wait any more. */
  close(): void {
    this.#isClosed = true;
    this.#unfollow();
    this.#forgetKeys();
    for (const { end } of this.#waiters) end('over');
  }
}
