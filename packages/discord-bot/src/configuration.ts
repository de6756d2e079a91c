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
  allowed: 'an https URL, in which {name} stands for the name',
  parse: (value) => (/^https:\/\/\S+$/.test(value) ? accepted(value) : refused('is none')),
});

/** Everything that the bot reads from its environment. */
export const variables = {
  DISCORD_TOKEN: variable(headerSecret('the token of the page Bot in the Developer Portal'), {
    means: 'Who the bot is to Discord; needed',
  }),
  DISCORD_CHANNEL: variable(channelId, {
    means: 'The channel that the chat is carried to and from; needed',
  }),
  STEWARD_URL: variable(baseUrl, {
    fallback: new URL('http://127.0.0.1:8080'),
    fallbackText: 'http://127.0.0.1:8080',
    means: 'The control API',
  }),
  STEWARD_KEY: variable(headerSecret('a key of the control API'), {
    means:
      'The key to it: with the scopes read and chat, and operate and moderate for the commands that need them',
  }),
  DISCORD_OPERATOR_ROLE: variable(
    items({
      allowed: 'ids of roles, separated by commas: Server Settings, Roles, Copy Role ID',
      read: (item) => (snowflake.test(item) ? item : undefined),
    }),
    {
      fallback: [],
      means: 'Who may use the commands that change something; without one only administrators',
    },
  ),
  DISCORD_TELL: variable(
    items({
      allowed: `${tellable.join(', ')}, or some of them; set but empty: the chat alone`,
      read: (item) => tellable.find((one) => one === item),
    }),
    {
      fallback: tellable,
      fallbackText: tellable.join(','),
      means: 'What is told beside the chat: who joins and leaves, new days, a game or a backup in trouble',
      emptyIsAValue: true,
    },
  ),
  DISCORD_RELAY_BOTS: variable(flag, {
    fallback: false,
    means: 'Whether the game is shown what other bots and webhooks write',
  }),
  DISCORD_AVATAR_URL: variable(avatarUrl, { means: 'A picture for each player who speaks' }),
  DISCORD_API: variable(url, {
    fallback: new URL('https://discord.com/api'),
    fallbackText: 'https://discord.com/api',
    means: 'Where Discord is reached; another place is a proxy, or a double for tests',
  }),
  DATA_DIR: variable(text('a folder that the bot may write to'), {
    fallback: '/data',
    means: 'Where everything that is kept lies; how far the bot has come is in the folder discord-bot there',
  }),
  ...logVariables,
};

/** The bot's own folder: others may keep something beside it. */
export function directoryOf({ DATA_DIR }: Pick<BotConfiguration, 'DATA_DIR'>): string {
  return join(DATA_DIR, 'discord-bot');
}

export type BotConfiguration = Configuration<typeof variables>;
