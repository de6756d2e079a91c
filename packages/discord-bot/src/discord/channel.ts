import type { API } from '@discordjs/core/http-only';
import type { APIGuild, APIMessage, APIWebhook } from 'discord-api-types/v10';
import { isMissing } from './errors.ts';
import { isNewer } from './snowflakes.ts';

/** What goes to Discord in one request. */
export interface Post {
  readonly content: string;
  /** What the webhook is called for it; without one it is the webhook itself that speaks, or the bot. */
  readonly name?: string | undefined;
  /** Discord takes a post of the bot once under it. */
  readonly nonce: string;
  /** The newest message of the channel when it was made: this one is newer. */
  readonly since: string;
}

export interface ChannelParts {
  readonly api: API;
  readonly id: string;
  readonly guild: Pick<APIGuild, 'id'>;
  /** The bot's own user. */
  readonly self: string;
  readonly application: string;
  /** What speaks under players' names, where the channel allows that. */
  readonly webhook: OwnWebhook | undefined;
  /** With `{name}` for a player's name. */
  readonly avatar: string | undefined;
  /** The newest message. */
  readonly newest: string;
}

/** A webhook that this application has made, with what it takes to speak by it. */
export type OwnWebhook = Pick<APIWebhook, 'id'> & { readonly token: string };

/** As many as Discord gives at once. */
const page = 100;

/** People whose names are remembered while what was missed is read. */
const mostNicks = 200;

/** Who has left the server has no other name than their own. */
const nobody = { nick: null };

/** Whatever somebody writes, nobody is called by it. */
export const nobodyMentioned = { parse: [] };

/** The channel that the bot speaks in and listens to. */
export class Channel {
  readonly id: string;
  readonly #parts: ChannelParts;
  #webhook: OwnWebhook | undefined;
  readonly #nicks = new Map<string, string>();
  #newest: string;

  constructor(parts: ChannelParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.#webhook = parts.webhook;
    this.#newest = parts.newest;
  }

  /** Whether a post may carry a name. */
  get hasNames(): boolean {
    return this.#webhook !== undefined;
  }

  /** The newest message that has been seen. */
  get newest(): string {
    return this.#newest;
  }

  saw(id: string): void {
    if (isNewer(id, this.#newest)) this.#newest = id;
  }

  giveUpWebhook(): void {
    this.#webhook = undefined;
  }

  /** Whether it is of this bot, by whichever way. */
  isOwn({ author, webhook_id, application_id }: Ownable): boolean {
    const { self, application } = this.#parts;
    // Of a webhook that was given up, too, and of one that another copy of this bot speaks by.
    return author.id === self || (webhook_id !== undefined && application_id === application);
  }

  async post({ content, name, nonce }: Post): Promise<string> {
    const { api, avatar } = this.#parts;
    const body = { content, allowed_mentions: nobodyMentioned };
    const webhook = this.#webhook;
    if (webhook === undefined) {
      const { id } = await api.channels.createMessage(this.id, { ...body, nonce, enforce_nonce: true });
      this.saw(id);
      return id;
    }
    const named = name === undefined ? {} : { username: name, ...avatarOf(avatar, name) };
    const said = { ...body, ...named, wait: true } as const;
    const { id, channel_id: where } = await api.webhooks.execute(webhook.id, webhook.token, said);
    // Somebody has moved it to another channel: what is said from now on belongs into this one.
    if (where !== this.id) this.giveUpWebhook();
    this.saw(id);
    return id;
  }

  /** The id of the message that a post has become, if Discord has it. */
  async find({ content, name, since }: Post): Promise<string | undefined> {
    for await (const message of this.after(since)) {
      const isIt =
        this.isOwn(message) &&
        seenOf(message.content) === seenOf(content) &&
        (name === undefined || seenOf(message.author.username) === seenOf(name));
      if (isIt) return message.id;
    }
    return undefined;
  }

  /** What was said behind a message, oldest first. */
  async *after(message: string): AsyncGenerator<APIMessage, void, undefined> {
    for (let after = message; ; ) {
      const messages = await this.#parts.api.channels.getMessages(this.id, { after, limit: page });
      for (const each of messages.toReversed()) {
        this.saw(each.id);
        yield each;
      }
      const [newest] = messages;
      if (newest === undefined || messages.length < page) return;
      after = newest.id;
    }
  }

  /** From now on people are asked for anew: their names may have changed. */
  forgetNicks(): void {
    this.#nicks.clear();
  }

  /** What whoever wrote it is called on the server, which a message that is read does not say. */
  async nickOf({ author, webhook_id }: Ownable): Promise<string | undefined> {
    if (webhook_id !== undefined || author.bot) return undefined;
    const known = this.#nicks.get(author.id);
    if (known !== undefined) return known;
    const { api, guild } = this.#parts;
    const member = await api.guilds
      .getMember(guild.id, author.id)
      .catch((error: unknown) => (isMissing(error) ? nobody : undefined));
    if (member === undefined) return undefined;
    if (this.#nicks.size >= mostNicks) this.#nicks.clear();
    this.#nicks.set(author.id, member.nick ?? '');
    return member.nick ?? undefined;
  }

  /** What whoever wrote a message sees below it. It is no more than a sign: where it may not be given, nothing is lost. */
  async mark(message: string, sign: string): Promise<void> {
    await this.#parts.api.channels.addMessageReaction(this.id, message, sign).catch(() => {});
  }

  /** Answers a message. */
  async answer(message: string, content: string): Promise<void> {
    const reference = { message_id: message, fail_if_not_exists: false };
    await this.#parts.api.channels
      .createMessage(this.id, { content, allowed_mentions: nobodyMentioned, message_reference: reference })
      .catch(() => {});
  }
}

/** Discord keeps a text and a name without some of what nobody sees of it. */
function seenOf(text: string): string {
  return text.replace(/[\s\p{Default_Ignorable_Code_Point}]+/gu, '').normalize();
}

type Ownable = Pick<APIMessage, 'author' | 'webhook_id' | 'application_id'>;

function avatarOf(template: string | undefined, name: string): { avatar_url?: string } {
  return template === undefined
    ? {}
    : { avatar_url: template.replaceAll('{name}', encodeURIComponent(name)) };
}
