import { z } from 'zod';
import { exactId, exactIdText } from '../../exact-id.ts';
import type { playerEndpoints } from '../endpoints/players.ts';
import { type Answers, changed, changeOf, snapshotVersion, subject } from './parts.ts';

/** Not every server tells, and nothing is made up. */
export const adminFact = z.boolean().optional().meta({ description: 'Absent with GAME_BRIDGE=existing' });

const players = z
  .object({
    players: z.array(
      z.object({
        id: exactId,
        idStr: exactIdText,
        name: z.string().meta({ description: 'Empty until the player’s client has sent it' }),
        isOnline: z.boolean(),
        isJoining: z.boolean().optional().meta({
          description: 'true while somebody is joining or creating a character, and has no name yet',
        }),
        isAdmin: adminFact,
      }),
    ),
    version: snapshotVersion,
  })
  .meta({ id: 'Players' });

const inviteCode = z
  .object({
    inviteCode: z
      .string()
      .optional()
      .meta({
        description: 'The code that players type in; absent if there is none',
        examples: ['S1A2B3C4D5E'],
      }),
    error: z.string().optional().meta({ description: 'Why there is no code, and how to fix it' }),
  })
  .meta({ id: 'InviteCode' });

export const playerAnswers = {
  listPlayers: { 200: players },
  getInviteCode: { 200: inviteCode },
  grantAdmin: {
    200: z.object({ ...changed, ...subject, ...changeOf('grantAdmin') }).meta({ id: 'AdminGranted' }),
  },
} satisfies Record<keyof typeof playerEndpoints, Answers>;
