import type { EventStream } from '../events/farm-event.ts';
import type { Faults } from '../faults/faults.ts';
import { dayAfter, dayBegins, dayEnds, nextStep, stepMilliseconds } from '../time/calendar.ts';
import type { Appointment, Schedule } from '../time/schedule.ts';
import type { Sessions } from './sessions.ts';
import type { World } from './world.ts';

// What a night's save takes on a good machine, and what it takes on one that is in trouble.
const saveMs = 2_000;
const slowSaveMs = 45_000;

export interface DayCycleParts {
  readonly world: World;
  readonly schedule: Schedule;
  readonly events: EventStream;
  readonly sessions: Sessions;
  readonly faults: Faults;
}

/** Days that pass while somebody is on the farm, and nights in which the farm saves and takes nobody in. */
export class DayCycle {
  readonly #parts: DayCycleParts;
  readonly #morning: (() => void)[] = [];
  #toldPaused = true;
  #step: Appointment | undefined;
  #saving: Appointment | undefined;

  constructor(parts: DayCycleParts) {
    this.#parts = parts;
  }

  get isSaving(): boolean {
    return this.#saving !== undefined;
  }

  get isPaused(): boolean {
    return !this.isSaving && this.#step === undefined;
  }

  /** In the middle of a day that somebody plays nothing can be saved. */
  get maySave(): boolean {
    return this.#parts.sessions.count === 0;
  }

  /** Now, or as soon as the farm has saved. */
  whenReady(action: () => void): void {
    if (this.isSaving) this.#morning.push(action);
    else action();
  }

  /** The clock runs while somebody is on the farm. */
  playersChanged(): void {
    if (this.isSaving) return;
    this.#runClockForPlayers();
    this.endDayIfAllSleep();
  }

  endDayIfAllSleep(): void {
    if (!this.isSaving && this.#parts.sessions.allAsleep) this.#save(true);
  }

  setTime(timeOfDay: number): void {
    this.#parts.world.state.timeOfDay = timeOfDay;
    this.#parts.events.emit({ type: 'time', timeOfDay });
    if (timeOfDay === dayEnds && this.#step !== undefined) this.#save(true);
  }

  /**
   * Saves where the day stands, while nobody is there. `writing` is told the new generation when the
   * save is about to be written: what it adds to the farm is in it.
   */
  saveNow(writing: (generation: number) => void): void {
    if (this.isSaving || !this.maySave) throw new Error('the farm cannot save now');
    this.#save(false, writing);
  }

  /** The farm has crashed: no save is under way, nobody waits for one, and the clock stands. */
  reset(): void {
    this.#stopClock();
    this.#saving?.cancel();
    this.#saving = undefined;
    this.#morning.length = 0;
    this.#toldPaused = true;
  }

  #runClockForPlayers(): void {
    const wanted = this.#parts.sessions.count > 0;
    if (!wanted) this.#stopClock();
    else if (this.#step === undefined) this.#runClock();
    if (this.#toldPaused === !wanted) return;
    this.#toldPaused = !wanted;
    this.#parts.events.emit({ type: 'paused', paused: !wanted });
  }

  #runClock(): void {
    this.#step = this.#parts.schedule.after(stepMilliseconds, () => {
      this.#runClock();
      this.setTime(nextStep(this.#parts.world.state.timeOfDay));
    });
  }

  #stopClock(): void {
    this.#step?.cancel();
    this.#step = undefined;
  }

  #save(endsDay: boolean, writing?: (generation: number) => void): void {
    const { world, schedule, events, faults } = this.#parts;
    this.#stopClock();
    const { day, season, year } = world.state;
    if (endsDay) events.emit({ type: 'day-ended', day, season, year });
    events.emit({ type: 'saving', endsDay });
    const duration = faults.isOn('slow-save') ? slowSaveMs : saveMs;
    this.#saving = schedule.after(duration, () => {
      this.#write(endsDay, writing);
      for (const action of this.#morning.splice(0)) this.whenReady(action);
    });
  }

  #write(endsDay: boolean, writing?: (generation: number) => void): void {
    const { world, events, sessions } = this.#parts;
    const { state } = world;
    if (endsDay) {
      Object.assign(state, dayAfter(state), { timeOfDay: dayBegins });
      sessions.wakeAll();
    }
    writing?.(state.generation + 1);
    world.save();
    this.#saving = undefined;
    if (endsDay) {
      events.emit({ type: 'day-started', day: state.day, season: state.season, year: state.year });
      events.emit({ type: 'time', timeOfDay: state.timeOfDay });
    }
    this.#runClockForPlayers();
  }
}
