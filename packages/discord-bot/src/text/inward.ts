import { codePoints, cut, oneLine } from '@steward/shared/chat/line';
import { chatLimits } from '@steward/shared/chat/rules';
import { isBlank } from '@steward/shared/text';
import type { APIMessage, APIUser } from 'discord-api-types/v10';

/** What is used of a message; by the gateway it brings who wrote it as a member, too. */
export interface ReadMessage
  extends Pick<
    APIMessage,
    | 'content'
    | 'author'
    | 'attachments'
    | 'sticker_items'
    | 'poll'
    | 'referenced_message'
    | 'message_snapshots'
    | 'mentions'
  > {
  readonly member?: { readonly nick?: string | null | undefined } | undefined;
}

/** What channels and roles are called, where that is known. */
export type Names = (id: string) => string | undefined;

/** A line for the game. */
export interface Spoken {
  readonly author: string;
  readonly text: string;
  /** There was more of it. */
  readonly isCut: boolean;
}

/** Says in the game that this is nobody who plays. */
const from = ' (Discord)';

/** What is shown in the game of a message; nothing where there is nothing to show. */
export function spoken(message: ReadMessage, names: Names): Spoken | undefined {
  const [forwarded] = message.message_snapshots ?? [];
  const own = readable(message.content, message.mentions, names);
  const passedOn =
    forwarded === undefined ? '' : `(forwarded) ${readable(forwarded.message.content, [], names)}`;
  const said = oneLine(`${own} ${passedOn}`);
  const room = chatLimits.messageCharacters - codePoints(answering(message)) - codePoints(said) - 1;
  const whole = withoutCodes(
    oneLine([answering(message), said, beside(message, room)].filter(Boolean).join(' ')),
  );
  if (isBlank(said) && beside(message, room) === '') return undefined;
  const { text, isCut } = cut(whole, chatLimits.messageCharacters);
  return { author: authorOf(message), text, isCut };
}

function authorOf({ author, member }: ReadMessage): string {
  const name = withoutCodes(oneLine(member?.nick || nameOf(author))) || author.username;
  return `${cut(name, chatLimits.authorCharacters - codePoints(from)).text}${from}`;
}

function nameOf({ global_name: name, username }: Pick<APIUser, 'global_name' | 'username'>): string {
  return name || username;
}

function answering({ referenced_message: message }: ReadMessage): string {
  return message ? `(to ${oneLine(nameOf(message.author))})` : '';
}

/** What is no text: its name, and where it lies, if there is room for that. */
function beside({ attachments = [], sticker_items: stickers = [], poll }: ReadMessage, room: number): string {
  const named = [
    ...attachments.map(({ filename }) => `(${filename})`),
    ...stickers.map(({ name }) => `(sticker: ${name})`),
    ...(poll?.question.text === undefined ? [] : [`(poll: ${poll.question.text})`]),
  ].join(' ');
  const linked = [...attachments.map(({ url }) => url), named].join(' ');
  return attachments.length > 0 && codePoints(linked) <= room ? linked : named;
}

/** What Discord writes as ids and signs, as people read it. */
function readable(content: string, mentions: readonly APIUser[], names: Names): string {
  const people = new Map(mentions.map((user) => [user.id, nameOf(user)]));
  return content
    .replace(/\|\|[\s\S]+?\|\|/g, '(spoiler)')
    .replace(/<@!?(\d+)>/g, (_all, id: string) => `@${people.get(id) ?? 'somebody'}`)
    .replace(/<@&(\d+)>/g, (_all, id: string) => `@${names(id) ?? 'role'}`)
    .replace(/<#(\d+)>/g, (_all, id: string) => `#${names(id) ?? 'channel'}`)
    .replace(/<a?(:\w+:)\d+>/g, '$1')
    .replace(/<t:(-?\d{1,12})(?::\w)?>/g, (all, seconds: string) => timeOf(seconds) ?? all)
    .replace(/<(\/[^:>]+):\d+>/g, '$1')
    .replace(/<id:(\w+)(?::\d+)?>/g, '#$1')
    .replace(/<(https?:\/\/[^\s>]+)>/g, '$1')
    .replace(/\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/g, '$1 ($2)')
    .replace(/\\([\\`*_~|<>#@[\]()-])/g, '$1');
}

function timeOf(seconds: string): string | undefined {
  const time = new Date(Number(seconds) * 1_000);
  return Number.isNaN(time.getTime())
    ? undefined
    : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The game takes words and numbers in square brackets for colours and pictures. */
function withoutCodes(text: string): string {
  return text.replace(/\[(\w+)\]/g, '($1)');
}
