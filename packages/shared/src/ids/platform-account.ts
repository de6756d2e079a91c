import type { Integer64Range } from './integer64.ts';
import { inRange } from './integer64.ts';

/** Every id that the primary platform gives to a person's account; they are the ones that begin with 7656. */
export const platformAccountRange: Integer64Range = {
  name: 'platform account',
  min: 76561197960265728n,
  max: 76561202255233023n,
};

/** The id space an identity belongs to, told from its digits alone, as an operator's rebind needs it. */
export function identitySpace(id: bigint): 'platform' | 'network' {
  return inRange(id, platformAccountRange) ? 'platform' : 'network';
}
