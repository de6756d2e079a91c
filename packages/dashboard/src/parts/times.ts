import { words } from '../words.ts';
import { once } from './once.ts';

export const clock = once(() => new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' }));
export const dayAndClock = once(
  () => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
);
const relative = once(() => new Intl.RelativeTimeFormat('en', { style: 'short' }));

const steps = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago, in the largest unit that fits. */
export function ago(at: number, today: number): string {
  const seconds = (at - today) / 1_000;
  const [unit, size] = steps.find(([, many]) => Math.abs(seconds) >= many) ?? [];
  return unit === undefined ? words.time.now : relative().format(Math.trunc(seconds / size), unit);
}
