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
        'off: this server goes without it; waiting: for what comes before it; working: under way; ok; failed: and is tried again; lost: it held, and is being brought back',
    }),
    ...troubleShape('Why it is in this state', 'How to fix it, or that it passes by itself'),
    since: timestamp.meta({ description: 'When it came into this state' }),
    nextRetry: timestamp.optional().meta({ description: 'When it is tried again' }),
  })
  .partial({ remedy: true })
  .meta({ id: 'InviteWayStep', description: 'One step of the invite code’s way' });

export type InviteStep = Readonly<z.infer<typeof inviteStep>>;

/** Stands in every answer that says whether players can join. */
export const inviteWay = z
  .array(inviteStep)
  .meta({ description: 'The invite code’s way, step by step, from the sidecar to the codes' });

/** What can be wrong with the ownership of farmhands. */
export const ownershipProblemCodes = [
  'ownership-incomplete',
  'ownership-unreadable',
  'ownership-unwritable',
] as const;

export type OwnershipProblemCode = (typeof ownershipProblemCodes)[number];

export const obstacle = z
  .object({
    code: z.enum([
      ...(['no-game', 'game-slow', 'game-frozen', 'no-state', 'no-farm', 'not-ready', 'no-way-in'] as const),
      'draining',
      'account-contended',
      'no-chat',
      'state-unreadable',
      'state-unwritable',
      'bans-unreadable',
      'bans-outdated',
      ...ownershipProblemCodes,
    ]),
    ...troubleShape('What is wrong', 'What to do, or that it passes by itself'),
    since: timestamp.optional(),
    step: z.enum(stepNames).optional().meta({ description: 'The step of the invite code’s way that it is' }),
    nextRetry: timestamp.optional().meta({ description: 'When it is tried again' }),
  })
  .meta({
    id: 'Obstacle',
    description:
      'Why players cannot join; or, keeping nobody out, why codes come and go (`account-contended`), chat does not pass (`no-chat`) or what is kept is lost over restarts (`state-unreadable`)',
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
