import { PermissionFlagsBits } from 'discord-api-types/v10';
import { z } from 'zod';
import { refused } from '../../rules/discord-error.ts';
import { objectTo, read, text } from '../../rules/forms.ts';
import type { Channel } from '../../world/channel.ts';
import { type Webhook, webhookShown } from '../../world/webhook.ts';
import type { World } from '../../world/world.ts';
import type { Route } from '../route.ts';
import { knownChannel, need, visibleChannel } from './messages.ts';

/** In one channel. */
const mostWebhooks = 15;

/** Nobody may pass for Discord itself, nor call everybody by a name. */
const forbiddenInNames = ['clyde', 'discord'];
const forbiddenNames = ['everyone', 'here'];

/** What a webhook may be called, or call itself. */
export const webhookName = text({ min: 1, max: 80 }).superRefine((name, context) => {
  const plain = name.toLowerCase();
  for (const part of forbiddenInNames)
    if (plain.includes(part))
      objectTo(context, 'USERNAME_INVALID_CONTAINS', `Username cannot contain "${part}"`);
  for (const whole of forbiddenNames)
    if (plain === whole) objectTo(context, 'USERNAME_INVALID', `Username cannot be "${whole}"`);
});

const newWebhookForm = z.object({ name: webhookName, avatar: z.string().nullish() });

/** Making and finding webhooks, as the bot; and what whoever knows a token may ask and end. */
export function webhookRoutes(world: World): readonly Route[] {
  const { application } = world;
  const shown = (webhook: Webhook) => webhookShown(webhook, application.id);

  const managed = (id = ''): Webhook => {
    const webhook = findWebhook(world, id);
    need(world, PermissionFlagsBits.ManageWebhooks, knownChannel(world, webhook.channelId));
    return webhook;
  };

  const end = (webhook: Webhook): undefined => {
    knownChannel(world, webhook.channelId).removeWebhook(webhook);
  };

  return [
    {
      route: 'GET /channels/:channelId/webhooks',
      by: 'bot',
      major: ['channelId'],
      answer: ({ params }) => [...manageable(world, params['channelId']).webhooks.values()].map(shown),
    },
    {
      route: 'POST /channels/:channelId/webhooks',
      by: 'bot',
      major: ['channelId'],
      answer: ({ params, body }) => {
        const channel = manageable(world, params['channelId']);
        const { name } = read(newWebhookForm, body);
        if (channel.webhooks.size >= mostWebhooks) throw refused('tooManyWebhooks');
        return shown(channel.addWebhook(name, world.bot.user, application.id));
      },
    },
    {
      route: 'GET /webhooks/:webhookId',
      by: 'bot',
      major: ['webhookId'],
      answer: ({ params }) => shown(managed(params['webhookId'])),
    },
    {
      route: 'DELETE /webhooks/:webhookId',
      by: 'bot',
      major: ['webhookId'],
      answer: ({ params }) => end(managed(params['webhookId'])),
    },
    {
      route: 'GET /webhooks/:webhookId/:token',
      by: 'token',
      major: ['webhookId', 'token'],
      answer: ({ params }) => {
        const { user: _maker, ...rest } = shown(knownWebhook(world, params['webhookId'], params['token']));
        return rest;
      },
    },
    {
      route: 'DELETE /webhooks/:webhookId/:token',
      by: 'token',
      major: ['webhookId', 'token'],
      answer: ({ params }) => end(knownWebhook(world, params['webhookId'], params['token'])),
    },
  ];
}

/** The webhook, for who knows its token. */
export function knownWebhook(world: World, id = '', token = ''): Webhook {
  const webhook = findWebhook(world, id);
  if (webhook.token !== token) throw refused('wrongWebhookToken');
  return webhook;
}

function manageable(world: World, id: string | undefined): Channel {
  const channel = visibleChannel(world, id);
  need(world, PermissionFlagsBits.ManageWebhooks, channel);
  return channel;
}

function findWebhook({ guild }: World, id: string): Webhook {
  const webhook = [...guild.channels.values()]
    .map(({ webhooks }) => webhooks.get(id))
    .find((one) => one !== undefined);
  if (webhook === undefined) throw refused('unknownWebhook');
  return webhook;
}
