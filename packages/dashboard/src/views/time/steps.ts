/** The farm’s day in steps of ten minutes, as its clock goes: from six in the morning to two in the night, which the game calls 2600. */
const dayBegins = 6 * 60;
const stepMinutes = 10;
export const lastStep = 120;

export function timeAt(step: number): number {
  const minutes = dayBegins + step * stepMinutes;
  return Math.floor(minutes / 60) * 100 + (minutes % 60);
}

export function stepAt(time: number): number {
  const minutes = Math.floor(time / 100) * 60 + (time % 100);
  return Math.min(lastStep, Math.max(0, Math.round((minutes - dayBegins) / stepMinutes)));
}
