import type { Message, Sent, ToldEvent } from '../sending.ts';
import { type Manner, type Piece, rendered } from './pieces.ts';
import { colourOf, tellingOf } from './telling.ts';

/** What Slack takes in one text of a section. */
const mostCharacters = 3_000;

/** These three are all that Slack reads in a text that is not markdown; `<!channel>` would call everybody. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const manner: Manner = {
  harmless: (character) => entities[character] ?? character,
  size: (text) => text.length,
};

/** An attachment, as nothing else has a colour. */
export function slackMessage(event: ToldEvent, { instance }: Sent): Message {
  const telling = tellingOf(event, instance);
  const { icon, title, text, codes } = telling;
  const headline = [`${icon} `, ...title];
  const lines = [headline, text, ...codes.map(({ name, code }) => [`${name}: `, code])];
  const attachment = {
    color: colourOf(event, telling),
    // What a notification shows.
    fallback: plain(headline),
    blocks: lines
      .filter((pieces) => pieces.length > 0)
      .map((pieces) => ({
        type: 'section',
        text: { type: 'plain_text', text: plain(pieces), emoji: false },
      })),
  };
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ attachments: [attachment] }),
  };
}

function plain(pieces: readonly Piece[]): string {
  return rendered(pieces, manner, mostCharacters);
}
