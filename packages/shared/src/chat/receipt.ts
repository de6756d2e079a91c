import { z } from 'zod';
import { chatLimits } from './rules.ts';

/** What became of a line that somebody outside said. */
export const receipt = {
  status: z.enum(['delivered', 'refused', 'unknown']).meta({
    description:
      '`delivered`: the game has shown it. `refused`: it was not shown and will not be. `unknown`: the outcome is unknown',
  }),
  reason: z.string().optional(),
  truncated: z
    .literal(true)
    .optional()
    .meta({
      description: `The text was longer than ${chatLimits.messageCharacters} characters, and cut`,
    }),
  length: z.int().min(1).max(chatLimits.messageCharacters).optional().meta({
    description: 'If it was cut: how many characters were shown, including the `…` at the end',
  }),
};
