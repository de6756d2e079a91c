import { z } from 'zod';
import { topicNames } from '../events/event-types.ts';
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
      'The first message if the server has a key, within 10 seconds; any other message before it closes the connection.',
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
        description: `Shown before the message in the game; cut to ${authorCharacters} characters, and Anonymous when empty; refused if it has no visible character`,
      }),
      message: z.string().meta({
        description: `The message, without control characters; beyond ${messageCharacters} characters it is cut and ends in \`…\`. Refused if it has no visible character`,
      }),
      id: messageId
        .meta({ description: 'Any text that you choose; with it you get the outcome as `chat_sent`' })
        .nullish(),
    }),
  })
  .meta({
    title: 'Write in the game’s chat',
    description: 'Shown to the players as text, never run as a command, and not sent back as `chat`.',
    examples: [{ type: 'chat_send', payload: { author: 'Robin', message: 'good morning', id: '1' } }],
  });

const lastCursor = z.string().max(64);

const resumeMessage = z
  .object({
    type: z.literal('resume'),
    payload: z
      .object({
        cursor: lastCursor
          .meta({
            description:
              'The cursor of the last message that you received; without one, you only get the current place',
          })
          .nullish(),
      })
      .nullish(),
  })
  .meta({
    title: 'Catch up',
    description: 'Asks for the messages that the client missed. Once per connection.',
    examples: [{ type: 'resume', payload: { cursor: 'k3f9x-41' } }],
  });

/** One that there is not is told by a code of its own. */
const topicList = z.array(z.string().max(64)).max(chatLimits.topics);

const subscribeMessage = z
  .object({
    type: z.literal('subscribe'),
    payload: z.object({
      topics: topicList
        .meta({
          description: `The topics to add, of ${topicNames.join(', ')}. Without it, all that the key may read`,
        })
        .min(1)
        .nullish(),
      cursor: lastCursor
        .meta({
          description:
            'The place after which you missed messages of all your topics, including the chat; without one, you only get new messages',
        })
        .nullish(),
      asEvents: z
        .boolean()
        .meta({
          description:
            'Whether the chat becomes a topic like the others: it arrives as `event`, with the player’s id, if you have subscribed to it, and no longer as `chat`',
        })
        .nullish(),
      id: messageId.meta({ description: 'Any text that you choose; the answer repeats it' }).nullish(),
    }),
  })
  .meta({
    title: 'Get more than the chat',
    description:
      'Adds topics, whose events arrive as `event` from then on; the chat always arrives as `chat`, except with `asEvents`. With a cursor only once per connection, and not together with `resume`.',
    examples: [
      { type: 'subscribe', payload: { topics: ['players', 'invites'], cursor: 'k3f9x-41' } },
      { type: 'subscribe', payload: { topics: ['chat', 'players'], cursor: 'k3f9x-41', asEvents: true } },
    ],
  });

const unsubscribeMessage = z
  .object({
    type: z.literal('unsubscribe'),
    payload: z
      .object({
        topics: topicList
          .meta({ description: 'The topics to remove; all except the chat if you name none' })
          .nullish(),
        id: messageId.meta({ description: 'Any text that you choose; the answer repeats it' }).nullish(),
      })
      .nullish(),
  })
  .meta({
    title: 'Hear less',
    examples: [{ type: 'unsubscribe', payload: { topics: ['players'] } }],
  });

/** What a client may send. */
export const clientMessage = z.discriminatedUnion('type', [
  authMessage,
  pingMessage,
  chatSendMessage,
  resumeMessage,
  subscribeMessage,
  unsubscribeMessage,
]);

export type ClientMessage = z.infer<typeof clientMessage>;

/** What a key has to be good for that sends each: whoever may hear the chat is let in, and may do all but speak. */
export const clientMessageScopes: Readonly<Record<ClientMessage['type'], Needed>> = {
  auth: chatScopes.hear,
  ping: chatScopes.hear,
  chat_send: chatScopes.speak,
  resume: chatScopes.hear,
  // Each topic asks for what it needs itself.
  subscribe: chatScopes.hear,
  unsubscribe: chatScopes.hear,
};

const types: ReadonlySet<string> = new Set(clientMessage.options.map((option) => option.shape.type.value));

export function isClientMessageType(type: string): type is ClientMessage['type'] {
  return types.has(type);
}
