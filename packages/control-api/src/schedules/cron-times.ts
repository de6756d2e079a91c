import { Cron } from 'croner';
import { WallClock, type WallTime } from './wall-clock.ts';

const dayMs = 24 * 60 * 60_000;

/** The times of a cron text, on the clocks of a time zone. */
export class CronTimes {
  readonly #cron: Cron;
  readonly #clock: WallClock;
  readonly #text: string;
  /** Undefined until a day comes on which that matters: to find out takes milliseconds. */
  #isOfEveryHour: boolean | undefined;

  constructor(cron: string, timeZone: string) {
    this.#text = cron;
    // It is asked for times of UTC alone: what clocks do in a zone is seen to here.
    this.#cron = new Cron(cron, { mode: '5-part', timezone: 'UTC', paused: true });
    this.#clock = new WallClock(timeZone);
  }

  /** Undefined where none ever comes. */
  nextAfter(instant: number): number | undefined {
    const wall = this.#clock.at(instant);
    // Clocks that are set back show times again, which have to be looked at from the first of them on.
    const setBackMs = this.#clock.setBackAround(instant);
    let earliest: number | undefined;
    for (let next = this.#next(wall - setBackMs); next !== undefined; next = this.#next(next)) {
      const found = this.#instantsOf(next).find((one) => one > instant);
      if (found !== undefined) earliest = Math.min(found, earliest ?? found);
      if (earliest !== undefined && next >= wall + setBackMs) return earliest;
    }
    return earliest;
  }

  #instantsOf(wall: WallTime): readonly number[] {
    const instants = this.#clock.instantsOf(wall);
    // None in an hour that the clocks pass over, two in one that comes twice.
    const shown = instants.filter((instant) => this.#clock.at(instant) === wall);
    if (shown.length === 1) return shown;
    // What is of every hour has nothing to do in an hour that never is; what is said of one hour is said once a day.
    this.#isOfEveryHour ??= isOfEveryHour(this.#text);
    return this.#isOfEveryHour ? shown : instants.slice(0, 1);
  }

  #next(wall: WallTime): WallTime | undefined {
    return this.#cron.nextRun(new Date(wall))?.getTime();
  }
}

/** However it says so. */
function isOfEveryHour(cron: string): boolean {
  const [, hours = ''] = cron.split(' ');
  const daily = new Cron(`0 ${hours} * * *`, { mode: '5-part', timezone: 'UTC', paused: true });
  const ofOneDay = daily.nextRuns(24, new Date(-1)).filter((time) => time.getTime() < dayMs);
  return ofOneDay.length === 24;
}
