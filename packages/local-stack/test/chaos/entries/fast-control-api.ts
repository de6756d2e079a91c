import { serve } from '@steward/control-api/serve';
import type { Clock } from '@steward/service-kit/clock';
import { inject } from './injected-faults.ts';

// The service as it is, with pauses of seconds lasting a fraction of one: what a chaos run needs to get through its
// faults. Its deadlines are true: a machine that is busy is no fault.
const speed = Number(process.env['CLOCK_SPEED']);
/** No pause gets shorter than this, or looking would be all that it does. */
const shortestPauseMs = 20;

const retryClock: Clock = {
  now: () => performance.now() * speed,
  date: () => new Date(),
  after(ms, action) {
    const timeout = setTimeout(action, Math.max(ms / speed, shortestPauseMs));
    return { cancel: () => clearTimeout(timeout) };
  },
};

inject(process.env['INJECT']);
await serve(retryClock);
