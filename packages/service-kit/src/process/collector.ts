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
