import { serve } from '../../src/serve.ts';
import { fastClock } from './fast-clock.ts';

// The service as it is, with waits of minutes lasting milliseconds, and nothing beside it that would grow with time.
await serve(fastClock(Number(process.env['CLOCK_SPEED'])));
