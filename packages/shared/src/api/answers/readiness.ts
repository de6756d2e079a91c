import { z } from 'zod';
import { troubleShape } from '../../problems/trouble.ts';
import { timestamp } from '../../wire-values.ts';

/** The steps to the invite codes, in the order of the way. */
export const stepNames = [
  'sidecar',
  'login',
  'ticket',
  'network-sign-in',
  'network-lobby',
  'platform-lobby',
  'link',
  'codes',
] as const;

export type StepName = (typeof stepNames)[number];

/**
 * Where one step of the way stands. `off`: this server goes without it. `waiting`: for a step before it. `working`: under
 * way. `ok`: done, and it holds. `failed`: tried in vain, and tried again. `lost`: it held, and is being brought back.
 */
export const stepStates = ['off', 'waiting', 'working', 'ok', 'failed', 'lost'] as const;

export type StepState = (typeof stepStates)[number];

const inviteStep = z
  .object({
    step: z.enum(stepNames),
    state: z.enum(stepStates).meta({
      description:
        'off: not used by this server; waiting: for an earlier step; working: in progress; ok; failed: it is retried; lost: it was ok, and is retried',
    }),
    ...troubleShape('Why it is in this state', 'How to fix it, or that you need not do anything'),
    since: timestamp.meta({ description: 'When it entered this state' }),
    nextRetry: timestamp.optional().meta({ description: 'When it is retried' }),
  })
  .partial({ remedy: true })
  .meta({ id: 'InviteWayStep', description: 'One step to the invite code' });

export type InviteStep = Readonly<z.infer<typeof inviteStep>>;

/** Stands in every answer that says whether players can join. */
export const inviteWay = z
  .array(inviteStep)
  .meta({ description: 'The steps to the invite codes, from the sidecar to the codes' });

/** What can be wrong with the ownership of farmhands. */
export const ownershipProblemCodes = [
  'ownership-incomplete',
  'ownership-unreadable',
  'ownership-unwritable',
] as const;

export type OwnershipProblemCode = (typeof ownershipProblemCodes)[number];

const obstacleCodes = [
  ...(['no-game', 'game-slow', 'game-frozen', 'no-state', 'no-farm', 'not-ready', 'no-way-in'] as const),
  'draining',
  'account-contended',
  'no-chat',
  'state-unreadable',
  'state-unwritable',
  'bans-unreadable',
  'bans-outdated',
  ...ownershipProblemCodes,
] as const;

/** What keeps nobody out, by its code: what does not work then. */
export const keepingNobodyOut = {
  // Codes work between two turns, and direct IP all the time; where there is no way in, that is told as well.
  'account-contended': 'codes come and go',
  'no-chat': 'chat does not work',
  'state-unreadable': 'data is lost at a restart',
  'bans-outdated': 'a change of the bans is not in effect',
} as const satisfies Readonly<Partial<Record<(typeof obstacleCodes)[number], string>>>;

const whatKeepsNobodyOut = Object.entries(keepingNobodyOut)
  .map(([code, means]) => `${means} (\`${code}\`)`)
  .join(', ');

export const obstacle = z
  .object({
    code: z.enum(obstacleCodes),
    ...troubleShape('What is wrong', 'What to do, or that you need not do anything'),
    since: timestamp.optional(),
    step: z
      .enum(stepNames)
      .optional()
      .meta({ description: 'The step to the invite code that has this problem' }),
    nextRetry: timestamp.optional().meta({ description: 'When it is retried' }),
  })
  .meta({
    id: 'Obstacle',
    description: `Why players cannot join. Also problems that keep nobody out: ${whatKeepsNobodyOut}, or, if ownership of farmhands is not enforced, state cannot be stored (\`state-unwritable\`)`,
  });

export type Obstacle = z.infer<typeof obstacle>;

export const readiness = z
  .object({
    ready: z.boolean().meta({ description: 'Players can join now' }),
    timestamp,
    obstacles: z.array(obstacle),
    inviteWay,
  })
  .meta({ id: 'Readiness' });
