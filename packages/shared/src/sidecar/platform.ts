import { z } from 'zod';
import { heardAs, lobbyVisibility, requestableVisibility, timestamp, uint64Text } from '../wire-values.ts';

/** The sidecar's `GET /platform/app-ticket`: a signed proof of identity, and nothing that could log in. */
export const appTicketAnswer = z.object({
  app_ticket: z.base64().min(1).meta({ description: 'The encrypted app ticket, base64' }),
  platform_id: uint64Text.meta({ description: 'The 64-bit platform account id, decimal' }),
});

export type AppTicketAnswer = z.infer<typeof appTicketAnswer>;

/** The platform keeps a lobby's data in one message; nothing that a game sets comes near these. */
const longestKey = 255;
const longestValue = 8_192;
export const mostLobbyEntries = 100;
export const mostLobbyMembers = 250;

// On the platform's wire keys and values end at a zero byte.
const withoutNul = /^[^\0]*$/;

/** What the game's clients look for in a lobby's data, under the names that they know. The sidecar fills them. */
export const lobbyDataNames = {
  protocolVersion: 'protocolVersion',
  gameServerIp: '__gameserverIP',
  gameServerPort: '__gameserverPort',
  gameServerId: '__gameserverSteamID',
} as const;

const lobbyData = z.record(
  z.string().min(1).max(longestKey).regex(withoutNul),
  z.string().max(longestValue).regex(withoutNul),
);

export const lobbyMetadata = lobbyData
  .refine(
    (metadata) => Object.keys(metadata).length <= mostLobbyEntries,
    `has more than ${mostLobbyEntries} entries`,
  )
  .meta({ description: 'What players find in the lobby list' });

/** The sidecar's `PUT /platform/lobby`: what the lobby shall be. What is left out stays as it was. */
export const lobbyRequest = z.strictObject({
  game_server_id: uint64Text
    .optional()
    .meta({ description: "The game server's relay id, which begins with 90" }),
  protocol_version: z.string().max(longestValue).regex(withoutNul).optional().meta({
    description: 'The multiplayer protocol that the game speaks',
  }),
  max_members: z.int().min(1).max(mostLobbyMembers).optional(),
  visibility: requestableVisibility
    .optional()
    .meta({ description: 'Accepted from games that send one; the lobby is public whatever it says' }),
  metadata: lobbyMetadata.optional().meta({ description: 'Merged into what earlier requests set' }),
});

export type LobbyRequest = z.infer<typeof lobbyRequest>;

const lobbyState = z.enum(['none', 'creating', 'open', 'lost']);

/** What both methods of `/platform/lobby` answer. */
export const lobbyAnswer = z.object({
  state: lobbyState.meta({
    description:
      'none: nobody has asked for a lobby; creating: not there yet; open: players find it; lost: there was one, and it comes back by itself with a new id',
  }),
  lobby_id: uint64Text.optional().meta({ description: 'Only while the lobby is open' }),
  visibility: z.literal(lobbyVisibility),
  max_members: z.int(),
  metadata: lobbyData.meta({
    description: 'What players find in the lobby list, and what the sidecar fills',
  }),
  created: z.int().meta({ description: 'How many lobbies there have been; a higher number means a new id' }),
  since: timestamp.meta({ description: 'When it entered this state' }),
  reason: z.string().optional().meta({ description: 'Why it is not open' }),
  next_retry: timestamp.optional().meta({ description: 'When it is opened again, where it waits for that' }),
});

export type LobbyAnswer = z.infer<typeof lobbyAnswer>;

/** The same, of a sidecar that may be newer. */
export const heardLobby: z.ZodType<LobbyAnswer> = lobbyAnswer.extend({ state: heardAs(lobbyState, 'lost') });
