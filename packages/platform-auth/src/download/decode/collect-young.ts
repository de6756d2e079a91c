import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: (how: { readonly type: 'minor' }) => void = runInNewContext('gc');

/**
 * Collects what has just been made and is needed no more. The collector does not count what lies outside of its heap here, and
 * would let dozens of megabytes of it stand.
 */
export function collectYoung(): void {
  collect({ type: 'minor' });
}
