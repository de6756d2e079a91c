import {
  type APIAttachment,
  type APIEmbed,
  type APIMessage,
  type APIMessageSnapshot,
  MessageReferenceType,
  type MessageType,
  StickerFormatType,
} from 'discord-api-types/v10';
import { asReplyTo, type Channel } from '../world/channel.ts';
import type { Member } from '../world/guild.ts';
import type { Interaction } from '../world/interaction.ts';
import { type AllowedMentions, calledBy } from '../world/mentions.ts';
import type { Webhook } from '../world/webhook.ts';
import type { World } from '../world/world.ts';
import { offeredTo, useCommand } from './command-use.ts';
import type { EnteredOptions } from './entered-options.ts';

/** What somebody says besides words. */
export interface Saying {
  /** Where; else in the guild's first channel. */
  readonly channel?: Channel;
  readonly replyTo?: APIMessage;
  readonly forward?: APIMessage;
  /** Names of files. */
  readonly attachments?: readonly string[];
  /** Names of stickers. */
  readonly stickers?: readonly string[];
  readonly embeds?: readonly APIEmbed[];
  /** Other than what people say: a pin, a boost, somebody's arrival. */
  readonly type?: MessageType;
}

/** People call whom they name. */
const allOfThem: AllowedMentions = { parse: ['users', 'roles', 'everyone'] };

/** A link to a file holds for a day only. */
const linkLifeMs = 86_400_000;

/** The hands of those who are in the guild. */
export class People {
  readonly #world: World;
  readonly #usual: Channel;

  constructor(world: World, usual: Channel) {
    this.#world = world;
    this.#usual = usual;
  }

  say(member: Member, content: string, saying: Saying = {}): APIMessage {
    const {
      channel = this.#usual,
      replyTo,
      forward,
      attachments = [],
      stickers = [],
      embeds = [],
      type,
    } = saying;
    const called = calledBy(content, allOfThem, { guild: this.#world.guild, channel, by: member });
    return channel.post({
      author: member.user,
      content,
      ...called,
      embeds: [...embeds],
      attachments: attachments.map((name) => this.#attachment(channel, name)),
      ...(stickers.length === 0 ? {} : { sticker_items: stickers.map((name) => this.#sticker(name)) }),
      ...(replyTo === undefined ? {} : asReplyTo(replyTo, channel)),
      ...(forward === undefined ? {} : forwarded(forward)),
      ...(type === undefined ? {} : { type }),
    });
  }

  edit(message: APIMessage, content: string): APIMessage {
    const channel = this.#channelOf(message);
    const called = calledBy(content, allOfThem, { guild: this.#world.guild, channel });
    return channel.change(message, { content, ...called });
  }

  /** A moment after a link was posted Discord itself adds what it leads to; that is an update, and no edit. */
  addPreview(message: APIMessage, embed: APIEmbed): APIMessage {
    return this.#channelOf(message).change(message, { embeds: [...message.embeds, embed] }, false);
  }

  delete(message: APIMessage): void {
    this.#channelOf(message).remove(message);
  }

  /** A webhook that another program uses: of another application, or made by a person's hand. */
  addWebhook(name: string, applicationId: string | null = null, channel: Channel = this.#usual): Webhook {
    return channel.addWebhook(name, this.#world.guild.owner.user, applicationId);
  }

  /** In the settings of the server, under Integrations. */
  moveWebhook(webhook: Webhook, to: Channel): void {
    this.#channel(webhook.channelId).removeWebhook(webhook);
    to.takeWebhook(webhook);
  }

  sayByWebhook({ id, name, channelId }: Webhook, content: string): APIMessage {
    const author = { id, username: name, avatar: null, discriminator: '0000', global_name: null, bot: true };
    return this.#channel(channelId).post({ author, content, webhook_id: id });
  }

  /** The names of the commands that somebody is offered. */
  offered(member: Member, channel: Channel = this.#usual): readonly string[] {
    return offeredTo(this.#world, member, channel).map(({ name }) => name);
  }

  /** Uses a slash command, `status` or `backup create`. What a client would not send is an error here. */
  use(
    member: Member,
    command: string,
    entered: EnteredOptions = {},
    channel: Channel = this.#usual,
  ): Interaction {
    return useCommand(this.#world, member, channel, command, entered);
  }

  #channelOf({ channel_id: id }: APIMessage): Channel {
    return this.#channel(id);
  }

  #channel(id: string): Channel {
    const channel = this.#world.channel(id);
    if (channel === undefined) throw new Error(`no channel ${id}`);
    return channel;
  }

  #attachment(channel: Channel, filename: string): APIAttachment {
    const { ids, clock } = this.#world;
    const id = ids.next();
    const expires = Math.floor((clock.date().getTime() + linkLifeMs) / 1_000).toString(16);
    const url = `https://cdn.discordapp.com/attachments/${channel.id}/${id}/${filename}?ex=${expires}&is=0&hm=0`;
    return { id, filename, size: 1_024, url, proxy_url: url };
  }

  #sticker(name: string) {
    return { id: this.#world.ids.next(), name, format_type: StickerFormatType.PNG };
  }
}

function forwarded(message: APIMessage): Partial<APIMessage> {
  const { content, embeds, attachments, timestamp, edited_timestamp, type, mentions, mention_roles } =
    message;
  const snapshot = {
    content,
    embeds,
    attachments,
    timestamp,
    edited_timestamp,
    type,
    mentions,
    mention_roles,
  };
  return {
    message_reference: {
      type: MessageReferenceType.Forward,
      message_id: message.id,
      channel_id: message.channel_id,
    },
    message_snapshots: [{ message: snapshot } as APIMessageSnapshot],
  };
}
