import { z } from 'zod';

export const authMessage = z.object({
  type: z.literal('auth'),
  payload: z.object({ token: z.string().meta({ description: 'The API key' }) }),
});

export const pingMessage = z.object({ type: z.literal('ping') });

export const chatSendMessage = z.object({
  type: z.literal('chat_send'),
  payload: z.object({
    author: z.string().meta({ description: 'Shown before the message in the game' }),
    message: z.string().meta({ description: 'What is said' }),
  }),
});

/** What a client may send. */
export const clientMessage = z.discriminatedUnion('type', [authMessage, pingMessage, chatSendMessage]);

export type ClientMessage = z.infer<typeof clientMessage>;
