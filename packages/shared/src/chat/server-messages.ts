import { z } from 'zod';
import { timestamp } from '../timestamp.ts';

export const authSuccessMessage = z.object({ type: z.literal('auth_success') });

export const authFailedMessage = z.object({
  type: z.literal('auth_failed'),
  payload: z.object({
    error: z.string().meta({ description: 'Why; the server closes the connection next' }),
  }),
});

export const pongMessage = z.object({ type: z.literal('pong') });

export const chatMessage = z.object({
  type: z.literal('chat'),
  payload: z.object({
    playerName: z.string(),
    message: z.string(),
    timestamp,
  }),
});

/** What the server sends. */
export const serverMessage = z.discriminatedUnion('type', [
  authSuccessMessage,
  authFailedMessage,
  pongMessage,
  chatMessage,
]);

export type ServerMessage = z.infer<typeof serverMessage>;
