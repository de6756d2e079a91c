import { type APIMessage, PermissionFlagsBits } from 'discord-api-types/v10';
import { z } from 'zod';
import { refused, wrongForm } from '../../rules/discord-error.ts';
import { objectTo, read, snowflake } from '../../rules/forms.ts';
import { asReplyTo, type Channel, isText } from '../../world/channel.ts';
import type { AllowedMentions } from '../../world/mentions.ts';
import type { World } from '../../world/world.ts';
import { changesOf, contentForm, contentOf, readMessage } from '../message-form.ts';
import type { Call, Route } from '../route.ts';

/** What a bot calls that says nothing of it. */
const allOfThem: AllowedMentions = { parse: ['users', 'roles', 'everyone'] };

const newMessageForm = contentForm.extend({
  nonce: z
    .string()
    .or(z.int())
    .transform(String)
    .superRefine((nonce, context) => {
      if (nonce.length > 25) objectTo(context, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
    })
    .nullish(),
  enforce_nonce: z.boolean().nullish(),
  message_reference: z
    .object({ message_id: snowflake, fail_if_not_exists: z.boolean().default(true) })
    .nullish(),
});

const pageForm = z.object({
  limit: z.coerce.number().pipe(z.int().min(1).max(100)).default(50),
  after: snowflake.optional(),
  before: snowflake.optional(),
  around: snowflake.optional(),
});

interface Remembered {
  readonly message: APIMessage;
  readonly at: number;
}

/** Reading a channel and posting into it, as the bot. */
export function messageRoutes(world: World): readonly Route[] {
  const nonces = new Map<string, Remembered>();
  const major = ['channelId'];

  /** The first message of a nonce, for as long as Discord remembers it. */
  const earlierOf = (key: string): APIMessage | undefined => {
    const earlier = nonces.get(key);
    const age = world.clock.now() - (earlier?.at ?? 0);
    return age < world.limits.nonceLifeMs ? earlier?.message : undefined;
  };

  const post = ({ params, body }: Call): APIMessage => {
    const channel = visibleChannel(world, params['channelId']);
    if (!isText(channel)) throw refused('notATextChannel');
    need(world, world.postPermission(channel), channel);
    const form = readMessage(newMessageForm, body);
    const { nonce, enforce_nonce: isOnce } = form;
    const key = `${channel.id} ${nonce}`;
    const earlier = nonce == null || isOnce !== true ? undefined : earlierOf(key);
    if (earlier !== undefined) return earlier;
    const message = channel.post({
      author: world.bot.user,
      ...contentOf(form, allOfThem, { guild: world.guild, channel, by: world.bot }),
      ...(nonce == null ? {} : { nonce }),
      ...replyTo(channel, form.message_reference),
    });
    if (nonce != null) nonces.set(key, { message, at: world.clock.now() });
    return message;
  };

  return [
    { route: 'POST /channels/:channelId/messages', by: 'bot', major, answer: post },
    {
      route: 'GET /channels/:channelId/messages',
      by: 'bot',
      major,
      answer: ({ params, query }) => {
        const channel = visibleChannel(world, params['channelId']);
        const page = read(pageForm, query);
        if (!world.mayBot(PermissionFlagsBits.ReadMessageHistory, channel)) return [];
        return channel.page(page).map((message) => readable(world, message));
      },
    },
    {
      route: 'GET /channels/:channelId/messages/:messageId',
      by: 'bot',
      major,
      answer: ({ params }) => {
        const channel = visibleChannel(world, params['channelId']);
        need(world, PermissionFlagsBits.ReadMessageHistory, channel);
        return readable(world, messageIn(channel, params['messageId']));
      },
    },
    {
      route: 'PATCH /channels/:channelId/messages/:messageId',
      by: 'bot',
      major,
      answer: ({ params, body }) => {
        const channel = visibleChannel(world, params['channelId']);
        const message = messageIn(channel, params['messageId']);
        if (message.author.id !== world.bot.user.id) throw refused('anothersMessage');
        return channel.change(
          message,
          changesOf(readMessage(contentForm, body), allOfThem, {
            guild: world.guild,
            channel,
            by: world.bot,
          }),
        );
      },
    },
    {
      route: 'DELETE /channels/:channelId/messages/:messageId',
      by: 'bot',
      major,
      answer: ({ params }) => {
        const channel = visibleChannel(world, params['channelId']);
        const message = messageIn(channel, params['messageId']);
        if (message.author.id !== world.bot.user.id) need(world, PermissionFlagsBits.ManageMessages, channel);
        channel.remove(message);
        return undefined;
      },
    },
    {
      route: 'PUT /channels/:channelId/messages/:messageId/reactions/:emoji/@me',
      by: 'bot',
      major,
      answer: ({ params }) => {
        const channel = visibleChannel(world, params['channelId']);
        need(world, PermissionFlagsBits.ReadMessageHistory, channel);
        const message = messageIn(channel, params['messageId']);
        need(world, PermissionFlagsBits.AddReactions, channel);
        channel.react(message, emojiOf(params['emoji']));
        return undefined;
      },
    },
  ];
}

export function knownChannel(world: World, id: string): Channel {
  const channel = world.channel(id);
  if (channel === undefined) throw refused('unknownChannel');
  return channel;
}

/** A channel that the bot can see. */
export function visibleChannel(world: World, id = ''): Channel {
  const channel = knownChannel(world, id);
  if (!world.mayBot(PermissionFlagsBits.ViewChannel, channel)) throw refused('missingAccess');
  return channel;
}

export function need(world: World, permission: bigint, channel: Channel): void {
  if (!world.mayBot(permission, channel)) throw refused('missingPermissions');
}

export function messageIn(channel: Channel, id = ''): APIMessage {
  const message = channel.message(id);
  if (message === undefined) throw refused('unknownMessage');
  return message;
}

/** What the portal's switch leaves of a message that is read. */
function readable(world: World, message: APIMessage): APIMessage {
  return world.asRead(message, world.application.privileged.messageContent);
}

/** One sign of Unicode; of those that a guild has made, this one has none. */
function emojiOf(name = ''): string {
  if (!/^\p{RGI_Emoji}$/v.test(name)) throw refused('unknownEmoji');
  return name;
}

function replyTo(
  channel: Channel,
  reference: z.output<typeof newMessageForm>['message_reference'],
): Partial<APIMessage> {
  if (reference == null) return {};
  const replied = channel.message(reference.message_id);
  if (replied !== undefined) return asReplyTo(replied, channel);
  if (!reference.fail_if_not_exists) return {};
  throw wrongForm([
    { path: ['message_reference'], code: 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE', message: 'Unknown message' },
  ]);
}
