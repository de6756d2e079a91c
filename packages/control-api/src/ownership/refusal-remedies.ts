import { type Reason, reasons, type SlotFacts } from './matrix.ts';
import type { Visitor } from './visitor.ts';

/** The farmhand that was refused, and what is known of whose it is. */
interface RefusedSlot extends SlotFacts {
  readonly id: string;
}

interface Remedies {
  /** Names nobody: whoever may read it. */
  readonly remedy?: string;
  /** Ends with what is to be pasted into a shell. */
  readonly line?: string;
}

/**
 * What lets the refused visitor in with this farmhand, and before it whom that takes it from: anybody can have this written by
 * trying to join.
 */
export function remediesOf(
  reason: Reason,
  slot: RefusedSlot,
  { identity }: Visitor,
  hasKey: boolean,
): Remedies {
  const row = reasons[reason];
  if (!('remedy' in row)) return {};
  const { who, id } = loserOf(slot);
  const loser = id === undefined ? who : `${who} (${id})`;
  // Without an identity there is nobody to bind it to: it can only be opened to whoever comes next.
  if (row.remedy === 'release' || typeof identity === 'string') {
    const takes = (from: string) => `This takes it from ${from} and makes it free for the next player`;
    return {
      remedy: `${takes(who)}: POST /farmhands/release with this playerId`,
      line: `${takes(loser)}: ${command(`release?playerId=${slot.id}`, hasKey)}`,
    };
  }
  const takes = (from: string) =>
    `Only if you are sure that it is the same player, because this takes it from ${from}`;
  return {
    remedy: `${takes(who)}: POST /farmhands/rebind with this playerId and the identity of the refused player`,
    line: `${takes(loser)}: ${command(`rebind?playerId=${slot.id}&identity=${identity.id}`, hasKey)}`,
  };
}

/**
 * It works as it is copied from a log in JSON, too, where a double quote becomes `\"`. The address is the operator's: out of a
 * container nobody sees by which port it is reached, and whoever else listens on ours would be sent the key. The empty IFS keeps
 * a key together that has a space in it.
 */
function command(asked: string, hasKey: boolean): string {
  const key = hasKey ? " -H 'Authorization: Bearer '$API_KEY" : '';
  return `(IFS=; curl -X POST $API'/farmhands/${asked}'${key})`;
}

/** Nearest first, as the matrix looks at it; the id is for the log alone. */
function loserOf({ record, isDoubtful, stamp }: SlotFacts): {
  readonly who: string;
  readonly id?: string;
} {
  if (record !== undefined && record.owner !== 'released')
    return { who: 'its owner', id: `${record.owner} id ${record.id}` };
  if (stamp !== undefined)
    return { who: 'the player whose network id it carries', id: `network id ${stamp}` };
  return { who: isDoubtful ? 'an unknown owner' : 'players who connect by IP' };
}
