import type { Clock } from '../../src/clock.ts';
import { serve } from '../../src/serve.ts';

// The service as it is, with waits of minutes lasting milliseconds: what a chaos run needs to get through its faults.
const speed = Number(process.env['CLOCK_SPEED']);
/** No wait gets shorter than this, or looking at the disk would be all that it does. */
const shortestWaitMs = 20;

const startedAt = Date.now();
const clock: Clock = {
  now: () => performance.now() * speed,
  date: () => new Date(startedAt + performance.now() * speed),
  after(ms, action) {
    const timer = setTimeout(action, Math.max(ms / speed, shortestWaitMs));
    return () => clearTimeout(timer);
  },
};

// An error of our own that nobody catches, with whatever a careless line could put into its text.
process.once('SIGUSR2', () => {
  throw new Error(`crashed while holding ${process.env['CRASH_TEXT']}`);
});

await serve(clock);
