import { z } from 'zod';
import { type CommandName, commands, isCommandName } from '../../bridge/commands.ts';
import { namedPlayer } from '../../bridge/outcome.ts';
import { withoutIdentities } from '../../identities.ts';
import { timestamp } from '../../wire-values.ts';
import type { operationEndpoints } from '../endpoints/operations.ts';
import { exactId, exactIdText } from './exact-id.ts';
import { ownershipFacts } from './farmhands.ts';
import type { Answers } from './parts.ts';

/** What the service does itself, beside what it has the game do. */
export const localCommandNames = ['rebindFarmhand', 'releaseFarmhand'] as const;

/** The form of `before` and `after` of each of them. */
const localChanges: Readonly<Record<(typeof localCommandNames)[number], z.ZodType>> = {
  rebindFarmhand: ownershipFacts,
  releaseFarmhand: ownershipFacts,
};

/** Everything that can be an operation. */
export const operationCommand = z.enum([
  ...(Object.keys(commands) as [CommandName, ...CommandName[]]),
  ...localCommandNames,
]);

/**
 * `pending`: sent, not claimed. `claimed`: the game may be applying it. `unknown`: claimed, and the game has not said
 * how it ended. The others are final; `void` means that it was not applied and never will be.
 */
export const operationState = z.enum(['pending', 'claimed', 'unknown', 'applied', 'refused', 'void']);

const facts = z.record(z.string(), z.unknown()).meta({
  description: 'Without platform and network identities for a key that lacks the scope moderate',
});

/** What who may not `moderate` is shown of `before` or `after`. */
export function factsWithoutIdentities(
  command: z.infer<typeof operationCommand>,
  given: z.infer<typeof facts>,
): z.infer<typeof facts> {
  const change = isCommandName(command) ? commands[command].change : localChanges[command];
  return withoutIdentities(change, given) as z.infer<typeof facts>;
}

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
