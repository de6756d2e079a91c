import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * V8's collector, to be called by hand. While V8 has the flag for it, nothing that was compiled earlier is good for it, neither Node's own
 * modules nor ours: hence not as an option of Node's, and not for longer than it takes to get hold of the collector. The flag is the whole
 * process's: of two threads that do this at the same time, one takes it from the other.
 */
export function collector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc');
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}

/** Not at once: whoever waits for the end of the work is to have its answer first. */
const collectedAfterMs = 2_000;

let soon: NodeJS.Timeout | undefined;

/**
 * For after work that comes seldom, as a start, a login or a download: what it leaves is a tenth and more of a service's memory, and V8
 * collects it only when much more has come, which in a service at rest is never. It takes a tenth of a second.
 */
export function collectSoon(): void {
  clearTimeout(soon);
  soon = setTimeout(
    () => void collector()({ type: 'major', execution: 'async', flavor: 'last-resort' }),
    collectedAfterMs,
  ).unref();
}
