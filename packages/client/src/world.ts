import type { StewardOptions } from './options.ts';
import type { World } from './tries.ts';

/** More than this a timer takes for nothing. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The platform's own, but for what the options bring.
 *
 * @internal
 */
export function worldOf(options: StewardOptions): World {
  return {
    fetch: options.fetch ?? globalThis.fetch,
    WebSocket: options.fetch === undefined ? globalThis.WebSocket : undefined,
    random: Math.random,
    now: () => performance.now(),
    after(ms, action) {
      const timer = setTimeout(action, Math.min(ms, longestTimerMs));
      return () => clearTimeout(timer);
    },
  };
}
