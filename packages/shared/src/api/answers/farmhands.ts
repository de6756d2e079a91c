import { z } from 'zod';
import { exactId, exactIdText } from '../../exact-id.ts';
import type { farmhandEndpoints } from '../endpoints/farmhands.ts';
import { type Answers, changed, changeOf, operationId, snapshotVersion, subject } from './parts.ts';
import { adminFact } from './players.ts';

/** Whose a farmhand is, as far as anybody but its owner may know: the door, never the identity behind it. */
export const ownershipFacts = z.object({
  owned: z.boolean().meta({ description: 'Somebody owns it; nobody else can join with it' }),
  released: z.boolean().meta({ description: 'The next player who takes it owns it' }),
  door: z.enum(['platform', 'network']).optional().meta({
    description: 'The kind of the owner’s id: the primary platform or the cross-platform network',
  }),
  origin: z
    .enum(['claim', 'operator'])
    .optional()
    .meta({ description: 'claim: the owner took it; operator: an operator gave it to them' }),
});

export type OwnershipFacts = z.infer<typeof ownershipFacts>;

const { owned, released } = ownershipFacts.shape;

/** Nothing is made up of owners either. */
const ownerKnown = (fact: typeof owned) =>
  fact.optional().meta({
    ...fact.meta(),
    description: `${fact.meta()?.description}. Absent if it is unknown: the ownership map is not read, cannot be read, or was lost with this farmhand in it; and with GAME_BRIDGE=existing`,
  });

const farmhands = z
  .object({
    farmhands: z.array(
      z.object({
        id: exactId,
        idStr: exactIdText,
        name: z.string().meta({ description: 'Empty for a slot that nobody has taken' }),
        isCustomized: z.boolean(),
        isOnline: z.boolean(),
        isAdmin: adminFact,
        ...ownershipFacts.partial().shape,
        owned: ownerKnown(owned),
        released: ownerKnown(released),
      }),
    ),
    version: snapshotVersion,
  })
  .meta({ id: 'Farmhands' });

const ownerChanged = {
  ...changed,
  playerId: exactId,
  playerIdStr: exactIdText,
  playerName: z.string(),
  before: ownershipFacts,
  after: ownershipFacts,
};

export const farmhandAnswers = {
  listFarmhands: { 200: farmhands },
  deleteFarmhand: {
    200: z
      .object({
        ...changed,
        operationId: operationId.optional().meta({ description: 'Absent in a dry run' }),
        dryRun: z.boolean(),
        ...subject,
        ...changeOf('deleteFarmhand'),
      })
      .meta({ id: 'FarmhandDeleted' }),
  },
  rebindFarmhand: { 200: z.object(ownerChanged).meta({ id: 'FarmhandRebound' }) },
  releaseFarmhand: { 200: z.object(ownerChanged).meta({ id: 'FarmhandReleased' }) },
} satisfies Record<keyof typeof farmhandEndpoints, Answers>;
