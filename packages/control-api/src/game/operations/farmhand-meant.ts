import type { PlayerTarget } from '@steward/shared/bridge/commands';
import { farmhandsMeant } from '@steward/shared/bridge/farmhands-meant';
import type { RefusedOutcome } from '@steward/shared/bridge/outcome';
import type { Ending } from './operation.ts';

/** The end of what was not done, and why not. */
export type Refused = Ending & { readonly state: 'refused'; readonly outcome: RefusedOutcome };

interface Named {
  readonly id: string;
  readonly name: string;
}

export function refused(code: RefusedOutcome['code'], message: string, fitting?: readonly Named[]): Refused {
  const matches = fitting?.map(({ id, name }) => ({ id, name }));
  return { state: 'refused', outcome: { outcome: 'refused', code, message, matches } };
}

/** The one that is meant, or why it is none or several. */
export function farmhandMeant<Slot extends Named>(
  slots: readonly Slot[],
  target: PlayerTarget,
): { readonly slot: Slot } | { readonly not: Refused } {
  const [slot, ...more] = farmhandsMeant(slots, target);
  if (slot === undefined)
    return { not: refused('not-found', 'There is no such farmhand: GET /farmhands lists all farmhands') };
  if (more.length > 0)
    return { not: refused('ambiguous', 'Several farmhands have this name: use a playerId', [slot, ...more]) };
  return { slot };
}
