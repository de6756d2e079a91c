import { type Shown, shownAuthor, shownMessage } from '../../chat/line.ts';
import { chatLimits, chatScopes } from '../../chat/rules.ts';
import type { Kind } from '../../kinds.ts';
import { accepted, type Parsed } from '../../parsed.ts';
import { type Endpoints, optional, required } from '../endpoint.ts';

const { authorCharacters, messageCharacters } = chatLimits;

const author: Kind<string> = {
  allowed: 'text of which something can be seen, or nothing',
  json: { type: 'string', minLength: 0 },
  parse: (text) => asGiven(text, shownAuthor(text)),
};

export const spokenLine: Kind<string> = {
  allowed: 'text of which something can be seen',
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
    summary: 'Say one line in the game',
    description:
      'Shown to the players as text, never carried out as a command, and answered once the game has shown it. The same as `chat_send` over /ws, for who says something now and then.',
    query: {
      author: optional(author, {
        means: `Shown before the message; cut to ${authorCharacters} characters, and Anonymous when empty`,
        example: 'Robin',
      }),
      message: required(spokenLine, {
        means: `What is said, without control characters; beyond ${messageCharacters} characters it is cut and ends in \`…\``,
        example: 'good morning',
        isSecret: true,
      }),
    },
    game: 'sendChat',
    audit: 'line said in the game',
  },
  openWebSocket: {
    on: 'GET /ws',
    group: 'Server',
    scope: chatScopes.hear,
    summary: 'Real-time messages, by WebSocket upgrade',
    description:
      'Speaks WebSocket; see /api-spec/v1/async-api.json. An upgrade needs no key: the first message brings it, and a header does not stand for it. Only where too many wrong keys came from the same address, an upgrade without the right one in its header is 429. Without an upgrade it is 426.',
    webSocket: true,
    problems: ['upgrade-required', 'too-many-connections'],
  },
} as const satisfies Endpoints;
