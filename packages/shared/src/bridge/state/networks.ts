import { z } from 'zod';
import { uint64Text } from '../../ids/id-text.ts';
import { requestableVisibility } from '../../lobby-visibility.ts';
import { humanText } from '../human-text.ts';

const why = humanText(500).optional().meta({ description: 'Why not, for a person' });

/** The game's anonymous logon at the primary platform, under which its relay listens. */
const relayState = z.object({
  serverId: uint64Text
    .regex(/^90/, 'does not begin with 90, as the id of an anonymous game server does')
    .optional()
    .meta({ description: 'Absent while there is no logon' }),
  why,
});

const networkLobby = z.object({
  id: uint64Text.meta({ description: "The lobby's raw id, from which invite codes are made" }),
  visibility: requestableVisibility.meta({ description: 'What is applied, not what was asked for' }),
  platformLobbyId: uint64Text.optional().meta({ description: 'The platform lobby this lobby points to' }),
});

export const networksSection = z.object({
  relay: relayState,
  network: z.object({
    signedIn: z.boolean(),
    lobby: networkLobby.optional(),
    why,
  }),
  directIp: z.object({ listening: z.boolean(), port: z.int().min(1).max(65535).optional(), why }),
});
