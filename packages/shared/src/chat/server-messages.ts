import { z } from 'zod';
import { toldEventSchema } from '../events/event-schema.ts';
import { type Topic, topicNames } from '../events/event-types.ts';
import { timestamp } from '../wire-values.ts';
import { receipt } from './receipt.ts';
import { type ChatErrorCode, chatErrorCodes, chatLimits } from './rules.ts';

const errorCodes = Object.keys(chatErrorCodes) as [ChatErrorCode, ...ChatErrorCode[]];

const cursor = z.string().meta({
  description: 'The place of this message in the log. Store the last one; its form may change.',
  examples: ['k3f9x-42'],
});

const authSuccessMessage = z.object({ type: z.literal('auth_success') }).meta({
  title: 'Authenticated',
  description: 'The key was right, or the server needs none.',
  examples: [{ type: 'auth_success' }],
});

const authFailedMessage = z
  .object({
    type: z.literal('auth_failed'),
    payload: z.object({
      error: z.string().meta({ description: 'Why; the server closes the connection next' }),
    }),
  })
  .meta({
    title: 'Not authenticated',
    description:
      'Followed by close code 1008, by 4001 if the key has ended, or by 1013 if keys cannot be checked right now.',
    examples: [{ type: 'auth_failed', payload: { error: 'The API key is wrong' } }],
  });

const pongMessage = z.object({ type: z.literal('pong') }).meta({
  title: 'Answer to a heartbeat',
  examples: [{ type: 'pong' }],
});

export const chatMessage = z
  .object({
    type: z.literal('chat'),
    payload: z.object({
      playerName: z.string().min(1),
      message: z.string().min(1),
      timestamp,
      cursor,
    }),
  })
  .meta({
    title: 'A player said something',
    description:
      'Only public chat: private messages, and texts that begin with `!` after trimming, never leave the game.',
    examples: [
      {
        type: 'chat',
        payload: {
          playerName: 'Abigail',
          message: 'good morning',
          timestamp: '2026-11-21T06:30:00.000Z',
          cursor: 'k3f9x-42',
        },
      },
    ],
  });

const chatSentMessage = z
  .object({
    type: z.literal('chat_sent'),
    payload: z.object({ id: z.string().max(chatLimits.idCharacters), ...receipt }),
  })
  .meta({
    title: 'The outcome of a message',
    description: 'For each `chat_send` with an `id`.',
    examples: [
      { type: 'chat_sent', payload: { id: '1', status: 'delivered' } },
      { type: 'chat_sent', payload: { id: '2', status: 'delivered', truncated: true, length: 450 } },
    ],
  });

const resumedMessage = z
  .object({
    type: z.literal('resumed'),
    payload: z.object({
      missed: z.int().min(0).meta({ description: 'How many missed `chat` messages follow at once' }),
      gap: z.boolean().meta({
        description: 'Whether some are lost: the server was killed, or the client was away for too long',
      }),
      cursor,
    }),
  })
  .meta({
    title: 'Caught up',
    description:
      'The next `missed` messages of type `chat` are the missed ones; `cursor` is the place after them.',
    examples: [{ type: 'resumed', payload: { missed: 2, gap: false, cursor: 'k3f9x-43' } }],
  });

/** What came with the message that it answers. */
const repeatedId = z.string().max(chatLimits.idCharacters).optional();

const heardTopics = z.array(z.enum(topicNames as [Topic, ...Topic[]])).meta({
  description: 'All topics of this connection, always including the chat, except with `asEvents`',
});

const subscribedMessage = z
  .object({
    type: z.literal('subscribed'),
    payload: z.object({
      topics: heardTopics,
      cursor,
      missed: z
        .int()
        .min(0)
        .meta({ description: 'How many missed messages follow at once, `chat` and `event`' }),
      gap: z.boolean().meta({
        description: 'Whether some are lost: the server was killed, or the client was away for too long',
      }),
      asEvents: z.literal(true).optional().meta({ description: 'The chat now arrives as `event`' }),
      id: repeatedId,
    }),
  })
  .meta({
    title: 'Subscribed',
    description:
      'The next `missed` messages of the types `chat` and `event` are the missed ones. `cursor` is the place after them: use it rather than the cursors of messages that arrived before this one.',
    examples: [
      {
        type: 'subscribed',
        payload: { topics: ['chat', 'players', 'invites'], cursor: 'k3f9x-43', missed: 2, gap: false },
      },
    ],
  });

const unsubscribedMessage = z
  .object({
    type: z.literal('unsubscribed'),
    payload: z.object({ topics: heardTopics, id: repeatedId }),
  })
  .meta({
    title: 'Unsubscribed',
    description: 'Also sent if a new key of the client may read less than the one before.',
    examples: [{ type: 'unsubscribed', payload: { topics: ['chat', 'invites'] } }],
  });

const eventMessage = z.object({ type: z.literal('event'), payload: toldEventSchema }).meta({
  title: 'Something happened',
  description:
    'For a topic that the client has subscribed to; the chat arrives as `chat`, except with `asEvents`.',
  examples: [
    {
      type: 'event',
      payload: {
        type: 'farm.dayStarted',
        at: '2026-11-22T06:30:00.000Z',
        cursor: 'k3f9x-44',
        data: { day: 5, season: 'spring', year: 2 },
      },
    },
  ],
});

const errorMessage = z
  .object({
    type: z.literal('error'),
    payload: z.object({
      code: z.enum(errorCodes),
      message: z.string().meta({ description: 'What went wrong this time, and what to do' }),
      id: z.string().max(chatLimits.idCharacters).optional().meta({
        description: 'The `id` in the payload of the message, if it had a valid one',
      }),
    }),
  })
  .meta({
    title: 'A message had no effect',
    description: 'The connection stays open.',
    examples: [
      { type: 'error', payload: { code: 'unknown-type', message: 'There is no message type "chat_sned"' } },
    ],
  });

/** What the server sends. */
export const serverMessage = z.discriminatedUnion('type', [
  authSuccessMessage,
  authFailedMessage,
  pongMessage,
  chatMessage,
  chatSentMessage,
  resumedMessage,
  subscribedMessage,
  unsubscribedMessage,
  eventMessage,
  errorMessage,
]);

export type ServerMessage = z.infer<typeof serverMessage>;
