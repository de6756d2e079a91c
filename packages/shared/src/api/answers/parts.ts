import { z } from 'zod';
import { type CommandName, commands } from '../../bridge/commands.ts';
import { exactId, exactIdText } from '../../exact-id.ts';

/** What one endpoint answers, by status; where only a WebSocket follows there may be any 2XX. */
export type Answers = Readonly<Partial<Record<number | '2XX', z.ZodType>>>;

export const snapshotVersion = z
  .int()
  .min(0)
  .meta({ description: 'Grows with each change that the game reports; 0 before the first' });

export const operationId = z.string().meta({
  description: 'For GET /operations/{id}; a text that you send back unchanged',
  examples: ['16394852047116039211'],
});

/** What every answer to a change has, besides what was there before and is there now. */
export const changed = {
  success: z.literal(true),
  message: z.string().meta({ description: 'What was done, as text' }),
  operationId,
};

/** The answer to what takes longer than anybody waits, with 202. */
export const underWay = z.object({ success: z.literal(true), message: z.string(), operationId }).meta({
  id: 'UnderWay',
  description: 'It continues; GET /operations/{id} shows each step, and how it ends',
});

/** What the game says that there was before, and is after. */
export function changeOf<const Name extends CommandName>(
  name: Name,
): { before: (typeof commands)[Name]['change']; after: (typeof commands)[Name]['change'] } {
  const { change } = commands[name];
  return { before: change, after: change };
}

const absent = 'Absent if the named player has not appeared yet and the game does not say who it is';

/** Whom a command was applied to. */
export const subject = {
  playerId: exactId.optional().meta({ ...exactId.meta(), description: `${exactId.description}. ${absent}` }),
  playerIdStr: exactIdText
    .optional()
    .meta({ ...exactIdText.meta(), description: `${exactIdText.description}. ${absent}` }),
  playerName: z.string(),
};
