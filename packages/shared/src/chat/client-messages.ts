import { z } from 'zod';
import type { Needed } from '../scopes.ts';
import { chatLimits, chatScopes } from './rules.ts';

/** Every WebSocket message, in both directions. A message without a payload omits the member, or has null there. */
export const envelope = z.looseObject({
  type: z.string(),
  payload: z.record(z.string(), z.unknown()).nullish(),
});

const { authorCharacters, messageCharacters, idCharacters } = chatLimits;

/** Where something may be absent it may be null: many a library writes that for what there is not. */
export const messageId = z.string().min(1).max(idCharacters);

const authMessage = z
  .object({
    type: z.literal('auth'),
    payload: z.object({ token: z.string().meta({ description: 'The API key' }) }),
  })
  .meta({
    title: 'Authenticate',
    description:
      'The first message where the server has a key, within 10 seconds; anything else before it closes the connection.',
    examples: [{ type: 'auth', payload: { token: 'the API key' } }],
  });

const pingMessage = z.object({ type: z.literal('ping') }).meta({
  title: 'Heartbeat',
  description: 'Answered with `pong`.',
  examples: [{ type: 'ping' }],
});

const chatSendMessage = z
  .object({
    type: z.literal('chat_send'),
    payload: z.object({
      author: z.string().meta({
        description: `Shown before the message in the game; cut to ${authorCharacters} characters, and Anonymous when empty; refused where it shows nothing`,
      }),
      message: z.string().meta({
        description: `What is said, without control characters; beyond ${messageCharacters} characters it is cut and ends in \`…\`. Refused where it shows nothing`,
      }),
      id: messageId
        .meta({ description: 'Any text of the client’s own; with it the outcome is told by `chat_sent`' })
        .nullish(),
    }),
  })
  .meta({
    title: 'Say something in the game',
    description: 'Shown to the players as text, never carried out as a command, and not sent back as `chat`.',
    examples: [{ type: 'chat_send', payload: { author: 'Robin', message: 'good morning', id: '1' } }],
  });

const resumeMessage = z
  .object({
    type: z.literal('resume'),
    payload: z
      .object({
        cursor: z
          .string()
          .max(64)
          .meta({
            description:
              'The cursor of the last message that was received; without one, only the present place is told',
          })
          .nullish(),
      })
      .nullish(),
  })
  .meta({
    title: 'Catch up',
    description: 'Asks for what was said while the client was away. Once a connection.',
    examples: [{ type: 'resume', payload: { cursor: 'k3f9x-41' } }],
  });

/** What a client may send. */
export const clientMessage = z.discriminatedUnion('type', [
  authMessage,
  pingMessage,
  chatSendMessage,
  resumeMessage,
]);

export type ClientMessage = z.infer<typeof clientMessage>;

/** What a key has to be good for that sends each: whoever may hear the chat is let in, and may do all but speak. */
export const clientMessageScopes: Readonly<Record<ClientMessage['type'], Needed>> = {
  auth: chatScopes.hear,
  ping: chatScopes.hear,
  chat_send: chatScopes.speak,
  resume: chatScopes.hear,
};

const types: ReadonlySet<string> = new Set(clientMessage.options.map((option) => option.shape.type.value));

export function isClientMessageType(type: string): type is ClientMessage['type'] {
  return types.has(type);
}
