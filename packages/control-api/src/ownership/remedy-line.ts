import { type Reason, reasons, type SlotFacts } from './matrix.ts';
import type { Visitor } from './visitor.ts';

/** How this API is reached from its own machine, as far as a line in the log can say. */
export interface OwnAddress {
  readonly url: string;
  readonly hasKey: boolean;
}

/** The farmhand that was refused, and what is known of whose it is. */
export interface RefusedSlot extends SlotFacts {
  readonly id: string;
}

/**
 * What an operator pastes into a shell to let the refused visitor in with this farmhand, and before it whom that takes it
 * from: anybody can have this line written by trying to join.
 */
export function remedyLine(
  reason: Reason,
  slot: RefusedSlot,
  { identity }: Visitor,
  { url, hasKey }: OwnAddress,
): string | undefined {
  const row = reasons[reason];
  if (!('remedy' in row)) return undefined;
  const key = hasKey ? ' -H "Authorization: Bearer $API_KEY"' : '';
  const loser = loserOf(slot);
  // Without an identity there is nobody to bind it to: it can only be opened to whoever comes next.
  if (row.remedy === 'release' || typeof identity === 'string')
    return `This takes it from ${loser} and opens it to whoever comes next: curl -X POST "${url}/farmhands/release?playerId=${slot.id}"${key}`;
  return `Only if you know that it is the same player, as this takes it from ${loser}: curl -X POST "${url}/farmhands/rebind?playerId=${slot.id}&identity=${identity.id}"${key}`;
}

/** Nearest first, as the matrix looks at it. */
function loserOf({ record, isDoubtful, stamp }: SlotFacts): string {
  if (record !== undefined && record.owner !== 'released')
    return `its owner (${record.owner} id ${record.id})`;
  if (stamp !== undefined) return `the player whose stamp is on it (network id ${stamp})`;
  return isDoubtful ? 'an owner whom nobody knows any more' : 'those who come by address';
}
