import { createHash } from 'node:crypto';
import { type APIMessage, InteractionResponseType, MessageFlags } from 'discord-api-types/v10';
import { z } from 'zod';
import { refused } from '../../rules/discord-error.ts';
import { objectTo, read } from '../../rules/forms.ts';
import { isThread } from '../../world/channel.ts';
import type { Interaction } from '../../world/interaction.ts';
import type { AllowedMentions } from '../../world/mentions.ts';
import type { Webhook } from '../../world/webhook.ts';
import type { World } from '../../world/world.ts';
import { type Content, changesOf, contentForm, contentOf, readMessage } from '../message-form.ts';
import type { RateLimits } from '../rate-limits.ts';
import type { Call, Route } from '../route.ts';
import { knownChannel, messageIn } from './messages.ts';
import { knownWebhook, webhookName } from './webhooks.ts';

/** What is called where nothing is said of it. */
const usersOnly: AllowedMentions = { parse: ['users'] };

const pictureUrl = z.string().superRefine((value, context) => {
  const url = URL.parse(value);
  if (url === null) objectTo(context, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.');
  else if (!/^https?:$/.test(url.protocol))
    objectTo(
      context,
      'URL_TYPE_INVALID_SCHEME',
      `Scheme "${url.protocol}" must be one of ('http', 'https').`,
    );
});

const webhookPostForm = contentForm.extend({
  username: webhookName.nullish(),
  avatar_url: pictureUrl.or(z.literal('')).nullish(),
});

const callbackForm = z.discriminatedUnion('type', [
  z.object({ type: z.literal(InteractionResponseType.ChannelMessageWithSource), data: z.unknown() }),
  z.object({
    type: z.literal(InteractionResponseType.DeferredChannelMessageWithSource),
    data: z.object({ flags: z.int().optional() }).nullish(),
  }),
]);

/** Whoever knows the token is let in through one of these: a webhook, or an interaction. */
interface Door {
  readonly post: (call: Call) => APIMessage;
  readonly find: (id: string) => APIMessage;
  readonly edit: (message: APIMessage, body: unknown) => APIMessage;
  readonly remove: (message: APIMessage) => void;
  /** Whether what was posted is told without having been asked for. */
  readonly tellsAll: boolean;
}

/** What is posted by a token alone, without the bot's. */
export function tokenRoutes(world: World, limits: RateLimits): readonly Route[] {
  const { application, interactions } = world;

  const doorOf = ({ params: { webhookId, token = '' }, query }: Call): Door => {
    if (webhookId !== application.id)
      return webhookDoor(world, knownWebhook(world, webhookId, token), query['thread_id'], limits);
    const interaction = interactions.get(token);
    if (interaction === undefined) throw refused('wrongWebhookToken');
    return interactionDoor(world, interaction);
  };

  const ofMessage =
    (act: (door: Door, message: APIMessage, body: unknown) => APIMessage | undefined) => (call: Call) => {
      const door = doorOf(call);
      return act(door, door.find(call.params['messageId'] ?? ''), call.body);
    };

  const onMessage = (method: string, act: Parameters<typeof ofMessage>[0]): Route => ({
    route: `${method} /webhooks/:webhookId/:token/messages/:messageId`,
    by: 'token',
    major: ['webhookId', 'token'],
    answer: ofMessage(act),
  });

  return [
    {
      route: 'POST /webhooks/:webhookId/:token',
      by: 'token',
      major: ['webhookId', 'token'],
      answer: (call) => {
        const door = doorOf(call);
        const message = door.post(call);
        return door.tellsAll || call.query['wait'] === 'true' ? message : undefined;
      },
    },
    onMessage('GET', (_door, message) => message),
    onMessage('PATCH', (door, message, body) => door.edit(message, body)),
    onMessage('DELETE', (door, message) => {
      door.remove(message);
      return undefined;
    }),
    {
      route: 'POST /interactions/:interactionId/:token/callback',
      by: 'token',
      answer: (call) => answerInteraction(world, call),
    },
  ];
}

function answerInteraction(world: World, { params, query, body }: Call): object | undefined {
  const interaction = world.interactions.get(params['token'] ?? '');
  if (interaction === undefined || interaction.id !== params['interactionId'])
    throw refused('unknownInteraction');
  const { type, data } = read(callbackForm, body);
  const isDeferred = type === InteractionResponseType.DeferredChannelMessageWithSource;
  const message = isDeferred
    ? interaction.acknowledge(undefined, isEphemeral(data?.flags))
    : acknowledgeWith(world, interaction, readMessage(contentForm, data));
  if (query['with_response'] !== 'true') return undefined;
  const { id } = interaction;
  return {
    interaction: { id, type: 2, response_message_id: message.id, response_message_loading: isDeferred },
    resource: { type, message },
  };
}

function acknowledgeWith({ guild }: World, interaction: Interaction, form: Content): APIMessage {
  const { channel } = interaction;
  return interaction.acknowledge(contentOf(form, usersOnly, { guild, channel }), isEphemeral(form.flags));
}

function interactionDoor({ guild }: World, interaction: Interaction): Door {
  const { channel } = interaction;
  return {
    tellsAll: true,
    find: (id) => interaction.find(id),
    post: ({ body }) => {
      // Before the body is looked at: without a first answer nobody is behind the token.
      interaction.checkToken();
      const form = readMessage(contentForm, body);
      return interaction.follow(contentOf(form, usersOnly, { guild, channel }), isEphemeral(form.flags));
    },
    edit: (message, body) =>
      interaction.edit(message, changesOf(readMessage(contentForm, body), usersOnly, { guild, channel })),
    remove: (message) => interaction.remove(message),
  };
}

function webhookDoor(world: World, webhook: Webhook, threadId: string | undefined, limits: RateLimits): Door {
  const { guild } = world;
  const channel = knownChannel(world, threadId ?? webhook.channelId);
  const isItsThread = isThread(channel) && channel.parentId === webhook.channelId;
  if (threadId !== undefined && !isItsThread) throw refused('unknownChannel');
  return {
    tellsAll: false,
    find: (id) => {
      const message = messageIn(channel, id);
      if (message.webhook_id !== webhook.id) throw refused('unknownMessage');
      return message;
    },
    post: ({ body }) => {
      limits.takeOfWebhooks(webhook.channelId);
      const { username, avatar_url: picture, ...form } = readMessage(webhookPostForm, body);
      return channel.post({
        ...contentOf(form, usersOnly, { guild, channel }),
        author: {
          id: webhook.id,
          username: username ?? webhook.name,
          avatar: picture ? createHash('md5').update(picture).digest('hex') : webhook.avatar,
          discriminator: '0000',
          global_name: null,
          bot: true,
        },
        webhook_id: webhook.id,
        ...(webhook.applicationId === null ? {} : { application_id: webhook.applicationId }),
      });
    },
    edit: (message, body) =>
      channel.change(message, changesOf(readMessage(contentForm, body), usersOnly, { guild, channel })),
    remove: (message) => channel.remove(message),
  };
}

function isEphemeral(flags: number | null | undefined): boolean {
  return ((flags ?? 0) & MessageFlags.Ephemeral) !== 0;
}
