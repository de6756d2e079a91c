import { z } from 'zod';

/** What every answer to a change has, besides what was there before and is there now. */
export const changed = {
  success: z.literal(true),
  message: z.string().meta({ description: 'What was done, for a person' }),
  operationId: z.string().meta({
    description: 'For GET /operations/{id}; a text to be given back as it is',
    examples: ['16394852047116039211'],
  }),
};
