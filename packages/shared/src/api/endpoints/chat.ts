import { type Shown, shownAuthor, shownMessage } from '../../chat/line.ts';
import { chatLimits, chatScopes } from '../../chat/rules.ts';
import type { Kind } from '../../kinds.ts';
import { accepted, type Parsed } from '../../parsed.ts';
import { type Endpoints, optional, required } from '../endpoint.ts';

const { authorCharacters, messageCharacters } = chatLimits;

const author: Kind<string> = {
  allowed: 'text with a visible character, or empty',
  json: { type: 'string', minLength: 0 },
  parse: (text) => asGiven(text, shownAuthor(text)),
};

export const spokenLine: Kind<string> = {
  allowed: 'text with a visible character',
  json: { type: 'string', minLength: 1 },
  parse: (text) => asGiven(text, shownMessage(text)),
};

/** What is shown of it is for who shows it to say. */
function asGiven(text: string, shown: Parsed<Shown>): Parsed<string> {
  return shown.ok ? accepted(text) : shown;
}

export const chatEndpoints = {
  sendChat: {
    on: 'POST /chat',
    group: 'Chat',
    scope: chatScopes.speak,
    summary: 'Write one line in the game’s chat',
    description:
      'Shown to the players as text, never run as a command, and answered once the game has shown it. The same as `chat_send` over /ws, for programs that write only now and then.',
    query: {
      author: optional(author, {
        means: `Shown before the message; cut to ${authorCharacters} characters, and Anonymous when empty`,
        example: 'Robin',
      }),
      message: required(spokenLine, {
        means: `The message, without control characters; beyond ${messageCharacters} characters it is cut and ends in \`…\``,
        example: 'good morning',
        isSecret: true,
      }),
    },
    game: 'sendChat',
    audit: 'line written in the game',
  },
  openWebSocket: {
    on: 'GET /ws',
    group: 'Server',
    scope: chatScopes.hear,
    summary: 'Real-time messages, by WebSocket upgrade',
    description:
      'Speaks WebSocket; see /api-spec/v1/async-api.json. An upgrade needs no key: send it in the first message, not only in a header. Only after too many wrong keys from the same address, an upgrade without the right key in its header is 429. A request without an upgrade is 426.',
    webSocket: true,
    problems: ['upgrade-required', 'too-many-connections'],
  },
} as const satisfies Endpoints;
