/** Why a message did nothing. After an `error` the connection stays open. */
export const chatErrorCodes = {
  'malformed-message': 'Not a JSON text with a `type`, or its `payload` lacks what the type needs',
  'unknown-type': 'There is no such message type',
  'too-many-messages':
    'Messages come faster than the server takes them; the rest is dropped until it slows down',
  'chat-refused': 'A `chat_send` without an `id` did not reach the game, and will not',
  'chat-unknown': 'The game took a `chat_send` without an `id` and has not said whether it was shown',
  'malformed-cursor': 'The cursor of `resume` is none that the server gave out',
  'already-resumed': 'A connection resumes once',
} as const;

export type ChatErrorCode = keyof typeof chatErrorCodes;
