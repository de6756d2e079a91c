import { setFlagsFromString } from 'node:v8';

/**
 * Node may have been started with options for how much room new objects have. This thread has that room by now; each thread that is started
 * later would get as much, whatever its own limits say.
 */
export function leaveThreadsTheirLimits(): void {
  for (const size of ['min', 'max']) setFlagsFromString(`--${size}-semi-space-size=0`);
}
