import type { PlayerTarget } from '@steward/shared/bridge/commands';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import { withTwin } from '@steward/shared/exact-id';

interface Asked {
  readonly playerId?: string | undefined;
  readonly name?: string | undefined;
}

/** Whom a query means that has one of the two. */
export function targetOf({ name, playerId }: Asked): PlayerTarget {
  if (playerId !== undefined) return { playerId };
  return { name: name ?? '' };
}

/** What the game says, and else what was asked for. An id that nobody has told is never made up. */
export function subjectOf({ subject }: AppliedOutcome, { playerId, name = '' }: Asked) {
  const known = subject ?? { id: playerId, name };
  return {
    ...(known.id === undefined ? {} : withTwin('playerId', known.id)),
    playerName: known.name,
  };
}
