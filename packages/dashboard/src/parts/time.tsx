import { signal } from '@preact/signals';
import { serverNow } from '../farm/clock.ts';
import { words } from '../words.ts';
import { once } from './once.ts';

const now = signal(Date.now());
const tickMs = 15_000;
setInterval(() => {
  now.value = Date.now();
}, tickMs);

const relative = once(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' }));
const exact = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }));
const clock = once(() => new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' }));
const dayAndClock = once(
  () => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
);

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

interface WhenProps {
  readonly at: string | number;
  /** How it is shown: how long ago it is, or the time of the clock where the viewer is. */
  readonly as?: 'ago' | 'clock' | 'date';
}

/** A time in the viewer's zone; the whole of it is in its title. */
export function When({ at, as = 'ago' }: WhenProps) {
  const time = new Date(at);
  const shown =
    as === 'ago'
      ? ago(time.getTime(), Math.max(serverNow(now.value), time.getTime()))
      : (as === 'clock' ? clock : dayAndClock)().format(time);
  return (
    <time dateTime={time.toISOString()} title={exact().format(time)}>
      {shown}
    </time>
  );
}
