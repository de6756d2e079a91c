import { signal } from '@preact/signals';
import { serverNow } from '../farm/clock.ts';
import { once } from './once.ts';
import { ago, clock, dayAndClock } from './times.ts';

const now = signal(Date.now());
const tickMs = 15_000;
setInterval(() => {
  now.value = Date.now();
}, tickMs);

const exact = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }));

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
