import type { Clock } from '@steward/service-kit/clock';
import type { Answer } from '../ask.ts';
import type { Check } from '../examination.ts';
import { failed, ok, warning } from '../finding.ts';

const limitMs = 1_000;
const secondMs = 1_000;
/** What the way of the answer and the platform's whole seconds may make of two clocks that agree. */
const warnAboveSeconds = 30;
/** Certificates, tokens and tickets stop to be believed about here. */
const failAboveSeconds = 300;

const remedy = 'Set the clock of this machine: switch on its time synchronisation';

/** This machine's clock beside the platform's: tickets and players' connections break where they differ. */
export function clockCheck(clock: Pick<Clock, 'date'>): Check<{ readonly directory: Answer }, true> {
  return {
    name: 'clock',
    title: 'Clock',
    limitMs,
    examine({ directory: { headers } }) {
      const theirs = Date.parse(headers.date ?? '');
      if (Number.isNaN(theirs)) return ok('the platform did not say what time it is', true);
      const skew = Math.round((clock.date().getTime() - theirs) / secondMs);
      const found = `${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} the platform's`;
      if (Math.abs(skew) > failAboveSeconds) return { value: true, ...failed('failure', found, remedy) };
      if (Math.abs(skew) > warnAboveSeconds) return warning(found, remedy, true);
      return ok(`within ${warnAboveSeconds} s of the platform's`, true);
    },
  };
}
