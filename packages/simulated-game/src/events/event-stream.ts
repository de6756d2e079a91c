import type { Schedule } from '../time/schedule.ts';
import type { FarmEvent, Happening } from './farm-event.ts';

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
