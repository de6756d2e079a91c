import { timestamp } from '@steward/shared/timestamp';
import { z } from 'zod';
import { stepStates } from '../../invites/step-states.ts';
import { stepNames } from '../../invites/steps.ts';

const wayStep = z
  .object({
    step: z.enum(stepNames),
    state: z.enum(stepStates).meta({
      description:
        'off: this server goes without it; waiting: for what comes before it; working: under way; ok; failed: tried in vain, and tried again; lost: it held, and is being brought back',
    }),
    reason: z.string().meta({ description: 'Why it is in this state' }),
    remedy: z.string().optional().meta({ description: 'What mends it, or that it passes by itself' }),
    since: timestamp.meta({ description: 'When it came into this state' }),
    nextRetry: timestamp.optional().meta({ description: 'When it is tried again' }),
  })
  .meta({ id: 'InviteWayStep', description: 'One step of the invite code’s way' });

/** Stands in every answer that says whether players can join. */
export const inviteWay = z
  .array(wayStep)
  .meta({ description: 'The invite code’s way, step by step, from the sidecar to the codes' });
