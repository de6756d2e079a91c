import { join } from 'node:path';
import {
  baseUrl,
  flag,
  headerSecret,
  items,
  kind,
  text,
  url,
} from '@steward/service-kit/configuration/kinds';
import { type Configuration, logVariables, variable } from '@steward/service-kit/configuration/variable';
import { accepted, refused } from '@steward/shared/parsed';
import { tellable } from './relay/lines.ts';

const snowflake = /^\d{17,20}$/;

const channelId = kind({
  allowed: 'the id of a channel, 17 to 20 digits: right-click it, Copy Channel ID',
  parse: (value) => (snowflake.test(value.trim()) ? accepted(value.trim()) : refused('is none')),
});

const avatarUrl = kind({
  allowed: 'an https URL, in which {name} is replaced with the name',
  parse: (value) => (/^https:\/\/\S+$/.test(value) ? accepted(value) : refused('is none')),
});

/** Everything that the bot reads from its environment. */
export const variables = {
  DISCORD_TOKEN: variable(headerSecret('the token of the page Bot in the Developer Portal'), {
    means: 'The bot’s Discord token; required',
  }),
  DISCORD_CHANNEL: variable(channelId, {
    means: 'The channel to connect with the chat; required',
  }),
  STEWARD_URL: variable(baseUrl, {
    fallback: new URL('http://127.0.0.1:8080'),
    fallbackText: 'http://127.0.0.1:8080',
    means: 'The control API',
  }),
  STEWARD_KEY: variable(headerSecret('a key of the control API'), {
    means:
      'The key for the control API: with the scopes read and chat, and operate and moderate for the commands that need them',
  }),
  DISCORD_OPERATOR_ROLE: variable(
    items({
      allowed: 'ids of roles, separated by commas: Server Settings, Roles, Copy Role ID',
      read: (item) => (snowflake.test(item) ? item : undefined),
    }),
    {
      fallback: [],
      means: 'Who may use the commands that change something; by default only administrators',
    },
  ),
  DISCORD_TELL: variable(
    items({
      allowed: `${tellable.join(', ')}, or some of them; set but empty: only the chat`,
      read: (item) => tellable.find((one) => one === item),
    }),
    {
      fallback: tellable,
      fallbackText: tellable.join(','),
      means: 'News beside the chat: who joins and leaves, new days, problems with the game or a backup',
      emptyIsAValue: true,
    },
  ),
  DISCORD_RELAY_BOTS: variable(flag, {
    fallback: false,
    means: 'Whether messages of other bots and webhooks are sent to the game',
  }),
  DISCORD_AVATAR_URL: variable(avatarUrl, { means: 'A picture for each player who speaks' }),
  DISCORD_API: variable(url, {
    fallback: new URL('https://discord.com/api'),
    fallbackText: 'https://discord.com/api',
    means: 'The address of Discord; another one is a proxy, or a double for tests',
  }),
  DATA_DIR: variable(text('a folder that the bot may write to'), {
    fallback: '/data',
    means: 'Where the bot stores its data, in the folder discord-bot',
  }),
  ...logVariables,
};

/** The bot's own folder: others may keep something beside it. */
export function directoryOf({ DATA_DIR }: Pick<BotConfiguration, 'DATA_DIR'>): string {
  return join(DATA_DIR, 'discord-bot');
}

export type BotConfiguration = Configuration<typeof variables>;
