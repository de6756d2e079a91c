import { createHash } from 'node:crypto';
import type { Post as ChannelPost } from '../discord/channel.ts';
import { mostContent, webhookName } from '../text/outward.ts';
import { bold, type Line } from './lines.ts';

/** What becomes one message in the channel. */
export interface Post extends ChannelPost {
  /** The place in the farm's events behind it. */
  readonly upTo: string;
}

/** So many lines wait for a post of their own; if there are more, those of several speakers are joined. */
export const crowd = 5;

export interface Joined extends Omit<Post, 'since'> {
  /** How many lines are in it. */
  readonly lines: number;
}

/** The first lines that make one post: of one speaker, or in a crowd as many as fit. Nothing where none of them has a text. */
export function nextPost(waiting: readonly Line[], hasNames: boolean): Joined | undefined {
  const first = waiting.findIndex(({ text }) => text !== undefined && text !== '');
  const speaker = waiting[first]?.speaker;
  if (first < 0) return undefined;
  const isCrowd = waiting.length > crowd;
  const name = hasNames && !isCrowd && speaker !== undefined ? webhookName(speaker) : undefined;
  let content = '';
  let [lines, upTo] = [first, ''];
  for (const line of waiting.slice(first)) {
    if (line.text) {
      if (!isCrowd && line.speaker !== speaker) break;
      const shown = name === undefined ? signed(line) : line.text;
      const longer = content === '' ? shown : `${content}\n${shown}`;
      // There has to be room for the name, should Discord refuse it.
      if ((name === undefined ? longer : saidBy(name, longer)).length > mostContent) break;
      content = longer;
    }
    lines += 1;
    upTo = line.cursor;
  }
  return {
    content,
    ...(name === undefined ? {} : { name }),
    nonce: nonceOf(`${upTo} ${content}`),
    upTo,
    lines,
  };
}

/** The same without a name that was refused: the text says who speaks. */
export function withoutName(post: Post): Post {
  const { name, ...rest } = post;
  return name === undefined ? rest : { ...rest, content: saidBy(name, post.content) };
}

/** Each line by itself: one without a name would be news of the farm. */
function saidBy(name: string, content: string): string {
  return content.replace(/^/gm, () => `${bold(name)}: `);
}

function signed({ speaker, text = '' }: Line): string {
  return speaker === undefined ? text : `${bold(speaker)}: ${text}`;
}

/** Discord takes 25 characters. */
function nonceOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 25);
}
