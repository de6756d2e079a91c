import { z } from 'zod';
import { type CommandName, commands } from '../../bridge/commands.ts';
import { namedPlayer } from '../../bridge/outcome.ts';
import { timestamp } from '../../wire-values.ts';
import type { operationEndpoints } from '../endpoints/operations.ts';
import { exactId, exactIdText } from './exact-id.ts';
import type { Answers } from './parts.ts';

/** What the service does to a farm itself, beside what it has the game do. */
export const ownerCommandNames = ['rebindFarmhand', 'releaseFarmhand'] as const;

/** What is done to keys, which no farm knows of. */
const keyCommandNames = ['createKey', 'revokeKey', 'rotateKey'] as const;

/** Everything that can be an operation. */
export const operationCommand = z.enum([
  ...(Object.keys(commands) as [CommandName, ...CommandName[]]),
  ...ownerCommandNames,
  ...keyCommandNames,
]);

/**
 * `pending`: sent, not claimed. `claimed`: the game may be applying it. `unknown`: claimed, and the game has not said
 * how it ended. The others are final; `void` means that it was not applied and never will be.
 */
export const operationState = z.enum(['pending', 'claimed', 'unknown', 'applied', 'refused', 'void']);

const facts = z.record(z.string(), z.unknown());

const operation = z
  .object({
    operationId: z.string(),
    command: operationCommand,
    state: operationState.meta({
      description:
        'pending and claimed: under way; unknown: taken, and how it ended is not known yet; applied, refused, void: final',
    }),
    createdAt: timestamp,
    changedAt: timestamp,
    why: z.string().optional(),
    forGood: z.literal(true).optional().meta({ description: 'Of an unknown outcome: nobody will ever tell' }),
    subject: namedPlayer.extend({ id: exactId, idStr: exactIdText }).optional(),
    before: facts.optional(),
    after: facts.optional(),
    refusal: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'Operation', description: 'What became of one command to the game' });

export const operationAnswers = {
  listOperations: { 200: z.object({ operations: z.array(operation) }).meta({ id: 'Operations' }) },
  getOperation: { 200: operation },
} satisfies Record<keyof typeof operationEndpoints, Answers>;
