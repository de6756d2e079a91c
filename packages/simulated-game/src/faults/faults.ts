import type { EventStream } from '../events/farm-event.ts';
import type { Appointment, Schedule } from '../time/schedule.ts';

/** Faults that change how the world behaves. Those that stop the program itself are the ticker's. */
export const worldFaults = ['slow-save', 'network-outage', 'late-names', 'duplicate-names'] as const;

export type WorldFault = (typeof worldFaults)[number];

/** What is wrong at the moment. Every fault ends by itself. */
export class Faults {
  readonly #schedule: Schedule;
  readonly #events: EventStream;
  readonly #active = new Map<WorldFault, Appointment>();
  readonly #onChange = new Set<(fault: WorldFault) => void>();

  constructor(schedule: Schedule, events: EventStream) {
    this.#schedule = schedule;
    this.#events = events;
  }

  isOn(fault: WorldFault): boolean {
    return this.#active.has(fault);
  }

  onChange(listener: (fault: WorldFault) => void): void {
    this.#onChange.add(listener);
  }

  /** On for that long from now, also when it is on already. */
  start(fault: WorldFault, milliseconds: number): void {
    this.#active.get(fault)?.cancel();
    this.#active.set(
      fault,
      this.#schedule.after(milliseconds, () => this.end(fault)),
    );
    this.#tell(fault);
  }

  end(fault: WorldFault): void {
    this.#active.get(fault)?.cancel();
    if (this.#active.delete(fault)) this.#tell(fault);
  }

  #tell(fault: WorldFault): void {
    this.#events.emit({ type: 'fault', fault, on: this.isOn(fault) });
    for (const listener of this.#onChange) listener(fault);
  }
}
