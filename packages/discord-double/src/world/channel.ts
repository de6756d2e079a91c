import { randomBytes } from 'node:crypto';
import {
  type APIChannel,
  type APIMessage,
  type APIUser,
  ChannelType,
  GatewayDispatchEvents,
  MessageReferenceType,
  MessageType,
  OverwriteType,
} from 'discord-api-types/v10';
import { isLater } from '../rules/snowflakes.ts';
import type { Ground, Overwrite, Place } from './ground.ts';
import type { Webhook } from './webhook.ts';

/** What a message begins with; the rest is as of an ordinary one. */
export type Draft = Pick<APIMessage, 'author' | 'content'> & Partial<Omit<APIMessage, 'id' | 'channel_id'>>;

/** Which part of a channel's messages somebody asks for. */
export interface Page {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly around?: string | undefined;
  readonly limit: number;
}

type Type = ChannelType.GuildText | ChannelType.GuildVoice | ChannelType.PublicThread;

/** A channel and all that stands in it, oldest first. */
export class Channel implements Place {
  readonly id: string;
  readonly guildId: string;
  name: string;
  readonly type: Type;
  /** Of a thread, the channel that it is in. */
  readonly parentId: string | null;
  readonly overwrites = new Map<string, Overwrite>();
  readonly webhooks = new Map<string, Webhook>();
  readonly #ground: Ground;
  readonly #messages = new Map<string, APIMessage>();

  constructor(ground: Ground, guildId: string, name: string, type: Type, parentId: string | null = null) {
    this.#ground = ground;
    this.id = ground.ids.next();
    this.guildId = guildId;
    this.name = name;
    this.type = type;
    this.parentId = parentId;
  }

  /** Oldest first, with everything that somebody who sees the channel sees of them. */
  get messages(): readonly APIMessage[] {
    return [...this.#messages.values()];
  }

  message(id: string): APIMessage | undefined {
    return this.#messages.get(id);
  }

  /** Newest first, as Discord lists them. */
  page({ after, before, around, limit }: Page): readonly APIMessage[] {
    const all = this.messages;
    if (after !== undefined)
      return all
        .filter(({ id }) => isLater(id, after))
        .slice(0, limit)
        .toReversed();
    if (around !== undefined) {
      const middle = all.filter(({ id }) => !isLater(id, around)).length;
      const first = Math.max(0, middle - Math.ceil(limit / 2));
      return all.slice(first, first + limit).toReversed();
    }
    const earlier = before === undefined ? all : all.filter(({ id }) => isLater(before, id));
    return earlier.slice(-limit).toReversed();
  }

  post(draft: Draft): APIMessage {
    const message = this.compose(draft);
    this.#messages.set(message.id, message);
    this.#ground.tell({ name: GatewayDispatchEvents.MessageCreate, message, channel: this });
    return message;
  }

  /** A message of this channel that stands nowhere yet, or is for one pair of eyes only. */
  compose(draft: Draft): APIMessage {
    return {
      type: MessageType.Default,
      tts: false,
      edited_timestamp: null,
      timestamp: this.#ground.clock.date().toISOString(),
      mention_everyone: false,
      mentions: [],
      mention_roles: [],
      attachments: [],
      embeds: [],
      components: [],
      pinned: false,
      flags: 0 as NonNullable<APIMessage['flags']>,
      ...draft,
      id: this.#ground.ids.next(),
      channel_id: this.id,
    };
  }

  /** Only what somebody has written anew counts as an edit; a preview that was added does not. */
  change(message: APIMessage, changes: Partial<APIMessage>, isEdit = true): APIMessage {
    const edited = isEdit ? { edited_timestamp: this.#ground.clock.date().toISOString() } : {};
    Object.assign(message, changes, edited);
    this.#ground.tell({ name: GatewayDispatchEvents.MessageUpdate, message, channel: this });
    return message;
  }

  /** The bot's sign below a message; once is enough of each. */
  react(message: APIMessage, name: string): void {
    if (message.reactions?.some(({ emoji }) => emoji.name === name)) return;
    message.reactions = [
      ...(message.reactions ?? []),
      {
        emoji: { id: null, name },
        count: 1,
        count_details: { burst: 0, normal: 1 },
        me: true,
        me_burst: false,
        burst_colors: [],
      },
    ];
  }

  remove({ id }: APIMessage): void {
    if (!this.#messages.delete(id)) return;
    const data = { id, channel_id: this.id, guild_id: this.guildId };
    this.#ground.tell({ name: GatewayDispatchEvents.MessageDelete, data, channel: this });
  }

  /** Made by the application, or by a person where that is null. */
  addWebhook(name: string, maker: APIUser, applicationId: string | null): Webhook {
    const webhook: Webhook = {
      id: this.#ground.ids.next(),
      token: randomBytes(51).toString('base64url'),
      name,
      avatar: null,
      guildId: this.guildId,
      channelId: this.id,
      applicationId,
      maker,
    };
    this.webhooks.set(webhook.id, webhook);
    this.#tellOfWebhooks();
    return webhook;
  }

  /** One that was in another channel keeps its id and its token. */
  takeWebhook(webhook: Webhook): void {
    this.webhooks.set(webhook.id, { ...webhook, channelId: this.id });
    this.#tellOfWebhooks();
  }

  removeWebhook({ id }: Webhook): void {
    this.webhooks.delete(id);
    this.#tellOfWebhooks();
  }

  #tellOfWebhooks(): void {
    const data = { guild_id: this.guildId, channel_id: this.id };
    this.#ground.tell({ name: GatewayDispatchEvents.WebhooksUpdate, data, channel: this });
  }

  shown(): APIChannel {
    return {
      id: this.id,
      guild_id: this.guildId,
      name: this.name,
      type: this.type,
      position: 0,
      permission_overwrites: [...this.overwrites].map(([id, { of, allow, deny }]) => ({
        id,
        type: of === 'member' ? OverwriteType.Member : OverwriteType.Role,
        allow: String(allow),
        deny: String(deny),
      })),
      nsfw: false,
      topic: null,
      parent_id: this.parentId,
      last_message_id: this.messages.at(-1)?.id ?? null,
      rate_limit_per_user: 0,
    } as APIChannel;
  }
}

export function asReplyTo(replied: APIMessage, channel: Channel): Partial<APIMessage> {
  return {
    type: MessageType.Reply,
    message_reference: {
      type: MessageReferenceType.Default,
      message_id: replied.id,
      channel_id: channel.id,
      guild_id: channel.guildId,
    },
    referenced_message: replied,
  };
}

export function isThread({ type }: Channel): boolean {
  return type === ChannelType.PublicThread;
}

export function isText(channel: Channel): boolean {
  return channel.type === ChannelType.GuildText || isThread(channel);
}
