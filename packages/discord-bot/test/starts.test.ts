import { Discord } from '@steward/discord-double/discord';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { describe, expect, it } from 'vitest';
import { farmStage, key } from './stage/farm-stage.ts';

const { ViewChannel, SendMessages } = PermissionFlagsBits;

/** Both sides, and a bot that looks at them. */
async function sides() {
  const discord = await Discord.start();
  const farm = await farmStage();
  const data = temporaryDirectory();
  const environment = {
    DISCORD_TOKEN: discord.token,
    DISCORD_CHANNEL: discord.channel.id,
    DISCORD_API: discord.api,
    STEWARD_URL: farm.url,
    STEWARD_KEY: key,
    DATA_DIR: data.path,
  };
  return {
    discord,
    farm,
    start: (more: object = {}, ...args: readonly string[]) =>
      new Program('packages/discord-bot/src/main.ts', args, { ...environment, ...more }),
    async [Symbol.asyncDispose]() {
      await farm[Symbol.asyncDispose]();
      await discord[Symbol.asyncDispose]();
      data[Symbol.dispose]();
    },
  };
}

type Sides = Awaited<ReturnType<typeof sides>>;

const wrongs: readonly (readonly [string, (all: Sides) => object | Promise<object>, RegExp])[] = [
  [
    'the token',
    () => ({ DISCORD_TOKEN: 'MTIz.wrong.token' }),
    /^discord-bot: Discord does not accept DISCORD_TOKEN: .*Reset Token/,
  ],
  ['no token', () => ({ DISCORD_TOKEN: '' }), /^discord-bot: DISCORD_TOKEN is not set/],
  [
    'a channel that is none',
    () => ({ DISCORD_CHANNEL: 'general' }),
    /^discord-bot: DISCORD_CHANNEL is "general": it must be/,
  ],
  [
    'a channel that there is not',
    () => ({ DISCORD_CHANNEL: '123456789012345678' }),
    /^discord-bot: there is no such channel/,
  ],
  [
    'the intent',
    ({ discord }) => {
      discord.application.privileged.messageContent = false;
      return {};
    },
    /^discord-bot: .*switch on Message Content Intent/,
  ],
  [
    'the permissions',
    ({ discord }) => {
      discord.permit(ViewChannel | SendMessages);
      return {};
    },
    /^discord-bot: the bot lacks permissions in #farm: .*Read Message History/,
  ],
  ['the key', () => ({ STEWARD_KEY: 'wrong' }), /^discord-bot: the farm does not accept STEWARD_KEY: /],
  [
    'the scopes',
    async ({ farm }) => ({ STEWARD_KEY: (await farm.farm.createKey({ name: 'r', scopes: 'read' })).secret }),
    /^discord-bot: STEWARD_KEY does not allow the chat: .*read and chat/,
  ],
];

describe('what only an operator can fix ends the bot with 1, and one line that says what to do', () => {
  it.each(wrongs)('%s', async (_what, spoil, line) => {
    await using all = await sides();
    await using bot = all.start(await spoil(all));
    expect(await bot.exited).toEqual({ code: 1, signal: null });
    expect(bot.stderr).toEqual([expect.stringMatching(line)]);
  });
});

it('a second bot with the same folder does not start', async () => {
  await using all = await sides();
  await using first = all.start();
  await first.line(/session with Discord has begun/);
  await using second = all.start();
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.stderr).toEqual([expect.stringMatching(/another bot uses/)]);
});

describe('check', () => {
  it('says that all is there', async () => {
    await using all = await sides();
    await using bot = all.start({}, 'check');
    expect(await bot.exited).toEqual({ code: 0, signal: null });
    expect(bot.stdout.every((line) => line.startsWith('ok '))).toBe(true);
    expect(bot.stdout.join('\n')).toMatch(/may write in #farm[\s\S]*has the scopes/);
  });

  it('gives a terminal no orders, whatever somebody has called a channel', async () => {
    await using all = await sides();
    const channel = all.discord.guild.addChannel('farm\u009b2J\u202eteerts');
    await using bot = all.start({ DISCORD_CHANNEL: channel.id }, 'check');
    expect(await bot.exited).toEqual({ code: 0, signal: null });
    expect(bot.stdout[0]).toContain('#farm\\u009b2J\\u202eteerts of ');
  });

  it('says of each side what is wrong', async () => {
    await using all = await sides();
    await using bot = all.start({ DISCORD_TOKEN: 'MTIz.wrong.token', STEWARD_KEY: 'wrong' }, 'check');
    expect(await bot.exited).toEqual({ code: 1, signal: null });
    expect(bot.stdout).toEqual([
      expect.stringMatching(/^wrong Discord: .*DISCORD_TOKEN/),
      expect.stringMatching(/^wrong Farm: .*STEWARD_KEY/),
    ]);
  });
});

it('the health check fails while the bot is not connected', async () => {
  await using all = await sides();
  await using look = all.start({}, 'healthcheck');
  expect(await look.exited).toEqual({ code: 1, signal: null });
});
