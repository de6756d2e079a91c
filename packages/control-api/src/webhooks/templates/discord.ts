import { readJson } from '@steward/service-kit/json';
import type { Answered, Message, Sent, ToldEvent } from '../sending.ts';
import { type Manner, rendered } from './pieces.ts';
import { colourOf, tellingOf } from './telling.ts';

/** What Discord takes of one embed; all of it together is far below the 6,000 characters of a message. */
const most = { title: 256, description: 4_096 } as const;

/** Its servers answer 400 to names with "discord" or "clyde" in them. */
const username = 'Steward';

/**
 * Whatever is no letter, digit or space is escaped: Discord shows it as it is then, and takes nothing for markdown, a link, a mention or a
 * time. What is not ASCII means nothing to it.
 */
const manner: Manner = {
  harmless: (character) => (/^[!-/:-@[-`{-~]$/.test(character) ? `\\${character}` : character),
  size: (text) => text.length,
};

export function discordMessage(event: ToldEvent, { instance }: Sent): Message {
  const telling = tellingOf(event, instance);
  const { icon, title, text, codes } = telling;
  const embed = {
    title: rendered([`${icon} `, ...title], manner, most.title),
    ...(text.length > 0 && { description: rendered(text, manner, most.description) }),
    color: Number.parseInt(colourOf(event, telling).slice(1), 16),
    timestamp: event.at,
    fields: codes.map(({ name, code }) => ({ name, value: asCode(code.theirs), inline: true })),
  };
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, embeds: [embed], allowed_mentions: { parse: [] } }),
  };
}

/** Between backticks nothing means anything but another backtick; and such text is copied with one touch. */
function asCode(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

/** Its number for a webhook that it does not know, or any more. */
const unknownWebhook = 10_015;

/** Discord says 404 where others say 410, and bars who goes on asking; what stands before it may say 404 of anything. */
export function isGoneFromDiscord({ status, body }: Answered): boolean {
  return status === 404 && memberOf(readJson(body), 'code') === unknownWebhook;
}

const secondMs = 1_000;

/** The rules are in the headers of every answer, and in the body of a 429, which may also come from what stands before Discord. */
export function discordPause({ status, headers, body }: Answered): number {
  const asked = status === 429 ? memberOf(readJson(body), 'retry_after') : undefined;
  const isSpent = headers['x-ratelimit-remaining'] === '0';
  const reset = isSpent ? Number(headers['x-ratelimit-reset-after']) : 0;
  return Math.max(...[asked, reset].map(inMs));
}

function memberOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined;
}

function inMs(seconds: unknown): number {
  return typeof seconds === 'number' && seconds > 0 && Number.isFinite(seconds)
    ? Math.ceil(seconds * secondMs)
    : 0;
}
