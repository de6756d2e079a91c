import { topics } from '../events/event-types.ts';
import type { Needed } from '../scopes.ts';

/** What a key has to be good for: for one of the first to hear the chat, for the other to speak in it. */
export const chatScopes = { hear: topics.chat.hear, speak: 'chat' } as const satisfies Record<string, Needed>;

/** What both sides of `/ws` must keep to. */
export const chatLimits = {
  /** A server with a key waits this long for `auth`. */
  authWindowMs: 10_000,
  /** The longest message from a client, in bytes. */
  messageBytes: 16 * 1024,
  /** Characters are Unicode code points; what is longer is cut. */
  authorCharacters: 32,
  messageCharacters: 450,
  /** The longest `id` that a client may give a message of its own. */
  idCharacters: 64,
  /** Topics in one message; there are fewer. */
  topics: 50,
} as const;

/** Why the server closes a connection. */
export const closeCodes = {
  policy: {
    code: 1008,
    meaning: 'Not authenticated, a key that may not read the chat, or a limit that was broken on purpose',
  },
  tooBig: { code: 1009, meaning: `A message of more than ${chatLimits.messageBytes} bytes` },
  restart: { code: 1012, meaning: 'The server is stopping; connect again' },
  keyEnded: { code: 4001, meaning: 'The key was revoked or has expired' },
  tryLater: {
    code: 1013,
    meaning:
      'The client does not read, too many clients wait to authenticate, or keys, or what was missed, cannot be read right now',
  },
} as const;

/** Why a message did nothing. After an `error` the connection stays open. */
export const chatErrorCodes = {
  'malformed-message': 'Not a JSON text with a `type`, or its `payload` lacks what the type needs',
  'unknown-type': 'There is no such message type',
  'too-many-messages': 'Messages come too fast; they are dropped until you slow down',
  'insufficient-scope': 'The key may read the chat, but not do or read this',
  'chat-refused': 'A `chat_send` without an `id` was not shown, and will not be',
  'chat-unknown': 'The game accepted a `chat_send` without an `id` and has not said whether it was shown',
  'malformed-cursor': 'The cursor of `resume` or `subscribe` is not from this server',
  'already-resumed': 'A connection can catch up only once: by `resume`, or by a `subscribe` with a cursor',
  'unknown-topic': 'There is no such topic; the message lists the existing ones',
} as const;

export type ChatErrorCode = keyof typeof chatErrorCodes;
