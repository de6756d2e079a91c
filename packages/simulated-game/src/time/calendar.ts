export const seasons = ['spring', 'summer', 'fall', 'winter'] as const;

export type Season = (typeof seasons)[number];

export const daysInSeason = 28;

export interface CalendarDay {
  readonly day: number;
  readonly season: Season;
  readonly year: number;
}

export const firstDay: CalendarDay = { day: 1, season: 'spring', year: 1 };

export function dayAfter({ day, season, year }: CalendarDay): CalendarDay {
  if (day < daysInSeason) return { day: day + 1, season, year };
  const next = seasons[seasons.indexOf(season) + 1];
  return next === undefined ? { day: 1, season: seasons[0], year: year + 1 } : { day: 1, season: next, year };
}

/** Days that have begun since the farm was founded; the first day is 1. */
export function daysPlayed({ day, season, year }: CalendarDay): number {
  return ((year - 1) * seasons.length + seasons.indexOf(season)) * daysInSeason + day;
}

/** Times of day are hours and minutes written together: 600 is 6 AM, 2600 is 2 AM of the next day. */
export const dayBegins = 600;
export const dayEnds = 2600;

const minutesInStep = 10;
const minutesInHour = 60;

/** Ten minutes on the farm take this long, as in the real game. */
export const stepMilliseconds = 7_000;

/** The next full ten minutes. Any integer can be set by hand, so a step also mends a time such as 675. */
export function nextStep(timeOfDay: number): number {
  const hours = Math.floor(timeOfDay / 100);
  const minutes = hours * minutesInHour + (timeOfDay % 100);
  const next = (Math.floor(minutes / minutesInStep) + 1) * minutesInStep;
  return Math.min(Math.floor(next / minutesInHour) * 100 + (next % minutesInHour), dayEnds);
}

export function isTimeOfDay(value: number): boolean {
  return Number.isInteger(value) && value >= dayBegins && value <= dayEnds;
}
