import { ownershipFacts } from '@steward/shared/api/answers/farmhands';
import type { ownCommandNames } from '@steward/shared/api/answers/operations';
import { playerTarget } from '@steward/shared/bridge/commands';
import { uint64Text } from '@steward/shared/ids/id-text';
import { z } from 'zod';

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
} as const satisfies Record<(typeof ownCommandNames)[number], unknown>;

export type OwnershipCommandName = keyof typeof ownershipCommands;

export type OwnershipCommand = {
  [Name in OwnershipCommandName]: {
    readonly name: Name;
    readonly params: z.infer<(typeof ownershipCommands)[Name]['params']>;
  };
}[OwnershipCommandName];
