import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import { z } from 'zod';
import { exactId, exactIdText, withTwin } from '../bodies/exact-id.ts';

const absent =
  'Absent where a player was named whom nobody has shown yet, and the game does not say whose the name is';

/** Whom a command was applied to, as its answer says it. */
export const subject = {
  playerId: exactId.optional().meta({ ...exactId.meta(), description: `${exactId.description}. ${absent}` }),
  playerIdStr: exactIdText
    .optional()
    .meta({ ...exactIdText.meta(), description: `${exactIdText.description}. ${absent}` }),
  playerName: z.string(),
};

interface Asked {
  readonly playerId?: string | undefined;
  readonly name?: string | undefined;
}

/** What the game says, and else what was asked for. An id that nobody has told is never made up. */
export function subjectOf({ subject }: AppliedOutcome, { playerId, name = '' }: Asked) {
  const known = subject ?? { id: playerId, name };
  return {
    ...(known.id === undefined ? {} : withTwin('playerId', known.id)),
    playerName: known.name,
  };
}
