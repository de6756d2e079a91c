import { exactId, exactIdText } from '@steward/shared/api/answers/exact-id';
import { waitingSettings } from '@steward/shared/api/answers/settings';
import { problemSchema } from '@steward/shared/problems/problem';
import { problemCodes } from '@steward/shared/problems/problem-codes';
import { z } from 'zod';

const match = z.object({ id: exactId, idStr: exactIdText, name: z.string() });

/** What every error of this service may say, beside what every error says. */
export const problemAnswer = problemSchema
  .extend({
    status: problemSchema.shape.status.min(400).max(599),
    // Codes may be added within a version, and a client that is made of a closed list would break.
    code: z.string().meta({
      description: 'A stable name for this kind of error; later versions may know more of them',
      'x-extensible-enum': Object.keys(problemCodes),
    }),
    retry: z.literal(true).optional().meta({
      description: 'The same request may succeed later; the header Retry-After says when',
    }),
    applied: z.literal(false).nullable().optional().meta({
      description:
        'Of a command that was sent to the game. false: it was not applied and never will be. null: nobody knows; GET /operations/{id} may tell later. Beside `waiting` it is said of the game alone: the settings file has it',
    }),
    operationId: z.string().optional().meta({
      description: 'For GET /operations/{id}: the command that became an operation before it failed',
    }),
    waiting: waitingSettings.optional().meta({
      description: 'Of a change of settings that stands in the file: what the game has not confirmed',
    }),
    matches: z.array(match).optional().meta({ description: 'Whom an ambiguous name fits' }),
  })
  .meta({ id: 'Problem', description: 'What went wrong, and what to do' });
