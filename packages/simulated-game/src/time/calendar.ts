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
