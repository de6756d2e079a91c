import { playerTarget } from '@steward/shared/bridge/commands';
import { uint64Text } from '@steward/shared/ids/uint64';
import { z } from 'zod';

/** Whose a farmhand is, as far as anybody but its owner may know: the door, never the identity behind it. */
export const ownershipFacts = z.object({
  owned: z.boolean().meta({ description: 'Somebody owns it; nobody else is let in with it' }),
  released: z.boolean().meta({ description: 'Whoever takes it next owns it' }),
  door: z.enum(['platform', 'network']).optional().meta({
    description: 'Whose id the owner is known by: the primary platform or the cross-platform network',
  }),
  origin: z
    .enum(['claim', 'operator'])
    .optional()
    .meta({ description: 'claim: the owner took it; operator: it was decided here' }),
});

export type OwnershipFacts = z.infer<typeof ownershipFacts>;

// A disk that takes longer is as good as none.
const outcomeMs = 10_000;

/** What this service is told to do and carries out itself; the form is that of the commands to a game. */
export const ownershipCommands = {
  rebindFarmhand: {
    params: z.object({ target: playerTarget, identity: uint64Text }),
    change: ownershipFacts,
    outcomeMs,
  },
  releaseFarmhand: { params: z.object({ target: playerTarget }), change: ownershipFacts, outcomeMs },
} as const;

export type OwnershipCommandName = keyof typeof ownershipCommands;

export type OwnershipCommand = {
  [Name in OwnershipCommandName]: {
    readonly name: Name;
    readonly params: z.infer<(typeof ownershipCommands)[Name]['params']>;
  };
}[OwnershipCommandName];
