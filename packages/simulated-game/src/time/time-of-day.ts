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
