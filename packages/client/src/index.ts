import { StewardError } from './error.ts';
import { farmOf } from './farm.ts';
import type { FarmOperations } from './generated/api.ts';
import type { StewardOptions } from './options.ts';

/** All that the control API can do. */
export type Farm = FarmOperations;

/** More than this a timer takes for nothing. */
const longestTimerMs = 2 ** 31 - 1;

/** The API at `url`. It connects to nothing yet: each call is a request of its own. */
export function steward(options: StewardOptions): Farm {
  return farmOf(options, {
    fetch: options.fetch ?? globalThis.fetch,
    random: Math.random,
    now: () => performance.now(),
    after(ms, action) {
      const timer = setTimeout(action, Math.min(ms, longestTimerMs));
      return () => clearTimeout(timer);
    },
  });
}

export type { ClientErrorCode, ErrorCode } from './error.ts';
export type * from './generated/api.ts';
export type * from './options.ts';
export { StewardError };
