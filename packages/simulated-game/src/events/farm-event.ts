import type { CalendarDay } from '../time/calendar.ts';
import type { Schedule } from '../time/schedule.ts';

/** How a line of chat reached whom. */
export type ChatKind = 'public' | 'private' | 'command';

/** Everything that can happen on the farm, in the words of someone who watches it. */
export type FarmEvent =
  | { readonly type: 'opened'; readonly farmName: string; readonly generation: number }
  | { readonly type: 'time'; readonly timeOfDay: number }
  | { readonly type: 'paused'; readonly paused: boolean }
  | { readonly type: 'saving'; readonly endsDay: boolean }
  | { readonly type: 'saved'; readonly generation: number }
  | ({ readonly type: 'day-ended' | 'day-started' } & CalendarDay)
  | { readonly type: 'connected'; readonly connectionId: string }
  | { readonly type: 'refused'; readonly connectionId: string; readonly reason: string }
  | { readonly type: 'disconnected'; readonly connectionId: string; readonly reason: string }
  | {
      readonly type: 'joined';
      readonly farmhandId: string;
      readonly connectionId: string;
      readonly fresh: boolean;
    }
  | {
      readonly type: 'named';
      readonly farmhandId: string;
      readonly name: string;
      readonly customised: boolean;
    }
  | {
      readonly type: 'left';
      readonly farmhandId: string;
      readonly name: string;
      readonly connectionId: string;
    }
  | { readonly type: 'kicked'; readonly farmhandId: string; readonly reason?: string }
  | { readonly type: 'claim-abandoned'; readonly farmhandId: string }
  | { readonly type: 'farmhand-deleted'; readonly farmhandId: string; readonly name: string }
  | { readonly type: 'asleep'; readonly farmhandId: string }
  | {
      readonly type: 'chat';
      readonly kind: ChatKind;
      readonly farmhandId?: string;
      readonly author: string;
      readonly message: string;
    }
  | { readonly type: 'admin'; readonly farmhandId: string }
  | { readonly type: 'rendering'; readonly fps: number }
  | { readonly type: 'network-signed-in' }
  | { readonly type: 'network-signed-out'; readonly reason: string }
  | {
      readonly type: 'lobby-opened';
      readonly rawId: string;
      readonly asked: string;
      readonly visibility: string;
    }
  | { readonly type: 'lobby-linked'; readonly rawId: string; readonly platformLobbyId?: string }
  | { readonly type: 'lobby-closed'; readonly rawId: string; readonly reason: string }
  | { readonly type: 'dial-failed'; readonly player: string; readonly reason: string }
  | { readonly type: 'fault'; readonly fault: string; readonly on: boolean }
  | { readonly type: 'crashed'; readonly backToGeneration: number };

export type FarmEventType = FarmEvent['type'];

/** An event with its place in the farm's history. */
export interface Happening {
  readonly number: number;
  /** Milliseconds of the farm's own time. */
  readonly at: number;
  readonly event: FarmEvent;
}

export type Watcher = (happening: Happening) => void;

/** Tells every watcher what happens, in order. Watchers only watch: they change nothing while they are told. */
export class EventStream {
  readonly #schedule: Schedule;
  readonly #watchers = new Set<Watcher>();
  #number = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** How many things have happened: a number that moves whenever the farm may have changed. */
  get count(): number {
    return this.#number;
  }

  emit(event: FarmEvent): void {
    this.#number += 1;
    const happening = { number: this.#number, at: this.#schedule.now, event };
    for (const watcher of this.#watchers) watcher(happening);
  }

  /** Watches until the returned function is called. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }
}
