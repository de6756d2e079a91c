import type { RESTPutAPIApplicationGuildCommandsJSONBody } from '@discordjs/core';
import { MessageFlags, PermissionFlagsBits } from '@discordjs/core';
import { ManualClock } from '@steward/testing/manual-clock';
import { describe, expect, it } from 'vitest';
import { Discord } from '../src/discord.ts';
import { LibraryBot } from './library-bot.ts';
import { refusal } from './refusal.ts';

type Commands = RESTPutAPIApplicationGuildCommandsJSONBody;

const status = { name: 'status', description: 'The state of the farm' };
const text = { type: 3, name: 'text', description: 'What' } as const;

function declare(bot: LibraryBot, discord: Discord, commands: Commands) {
  return bot.api.applicationCommands.bulkOverwriteGuildCommands(
    discord.application.id,
    discord.guild.id,
    commands,
  );
}

describe('the commands of a guild', () => {
  it('are replaced at once, and those that stay keep their ids', async () => {
    await using discord = await Discord.start();
    await using bot = new LibraryBot(discord);
    const [first] = await declare(bot, discord, [status]);
    const again = await declare(bot, discord, [
      { ...status, description: 'Other words' },
      { ...status, name: 'code' },
    ]);
    expect(again.map(({ name }) => name)).toEqual(['status', 'code']);
    expect(again[0]?.id).toBe(first?.id);
    const listed = await bot.api.applicationCommands.getGuildCommands(
      discord.application.id,
      discord.guild.id,
    );
    expect(listed).toEqual(again);
  });

  const options = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...text, name: `text-${index}` }));
  const choices = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `choice ${index}`, value: `${index}` }));

  it.each([
    ['a name with capitals', { ...status, name: 'Status' }, '0.name'],
    ['a name with a space', { ...status, name: 'a b' }, '0.name'],
    ['a name of 33 letters', { ...status, name: 'a'.repeat(33) }, '0.name'],
    ['no description', { ...status, description: '' }, '0.description'],
    ['a description of 101 letters', { ...status, description: 'a'.repeat(101) }, '0.description'],
    ['26 options', { ...status, options: options(26) }, '0.options'],
    [
      'a required option behind one that is not',
      { ...status, options: [text, { ...text, name: 'more', required: true }] },
      '0.options.1',
    ],
    ['an option twice', { ...status, options: [text, text] }, '0.options.1'],
    ['26 choices', { ...status, options: [{ ...text, choices: choices(26) }] }, '0.options.0.choices'],
    [
      'a choice of 101 letters',
      { ...status, options: [{ ...text, choices: [{ name: 'a', value: 'a'.repeat(101) }] }] },
      '0.options.0.choices.0.value',
    ],
    [
      'a choice of another type',
      {
        ...status,
        options: [{ type: 4, name: 'n', description: 'n', choices: [{ name: 'a', value: 'a' }] }],
      },
      '0.options.0.choices.0.value',
    ],
    [
      'options beside subcommands',
      { ...status, options: [{ type: 1, name: 'sub', description: 'sub' }, text] },
      '0.options',
    ],
    [
      'more than 8,000 characters',
      {
        ...status,
        options: options(25).map((option) => ({
          ...option,
          description: 'a'.repeat(100),
          choices: choices(25).map((choice) => ({ ...choice, value: 'a'.repeat(100) })),
        })),
      },
      '0',
    ],
  ] as const)('are refused with %s', async (_what, command, path) => {
    await using discord = await Discord.start();
    await using bot = new LibraryBot(discord);
    const error = await refusal(declare(bot, discord, [command] as unknown as Commands));
    expect(error).toMatchObject({ status: 400, code: 50_035, paths: expect.arrayContaining([path]) });
  });

  it('have names of their own, and are at most a hundred', async () => {
    await using discord = await Discord.start();
    await using bot = new LibraryBot(discord);
    expect(await refusal(declare(bot, discord, [status, status]))).toMatchObject({
      code: 50_035,
      paths: ['1'],
    });
    const many = Array.from({ length: 101 }, (_, index) => ({ ...status, name: `status-${index}` }));
    expect(await refusal(declare(bot, discord, many))).toMatchObject({ status: 400, code: 30_032 });
  });

  it('are nobody else’s, and of no other guild', async () => {
    await using discord = await Discord.start();
    await using bot = new LibraryBot(discord);
    const { application, guild } = discord;
    const list = (id: string, of: string) => refusal(bot.api.applicationCommands.getGuildCommands(id, of));
    expect(await list(guild.id, guild.id)).toMatchObject({ status: 403, code: 20_012 });
    expect(await list(application.id, application.id)).toMatchObject({ status: 403, code: 50_001 });
  });

  it('are created 200 times a day, while those that only change are not counted', async () => {
    const clock = new ManualClock();
    await using discord = await Discord.start({ clock });
    await using bot = new LibraryBot(discord);
    const hundred = (prefix: string) =>
      Array.from({ length: 100 }, (_, index) => ({ ...status, name: `${prefix}-${index}` }));
    await declare(bot, discord, hundred('a'));
    await declare(bot, discord, hundred('a'));
    await declare(bot, discord, hundred('b'));
    expect(await refusal(declare(bot, discord, [status]))).toMatchObject({ status: 400, code: 30_034 });
    clock.advance(86_400_000);
    expect(await declare(bot, discord, [status])).toHaveLength(1);
  });
});

describe('whoever uses a command', () => {
  it('is offered what their permissions and the guild’s own choice allow', async () => {
    await using discord = await Discord.start();
    await using bot = new LibraryBot(discord);
    const helpers = discord.guild.addRole('helpers');
    const ann = discord.guild.addMember('ann');
    const bea = discord.guild.addMember('bea', { roles: [helpers] });
    await declare(bot, discord, [status, { ...status, name: 'kick', default_member_permissions: '0' }]);
    expect(discord.people.offered(ann)).toEqual(['status']);
    expect(discord.people.offered(discord.guild.owner)).toEqual(['status', 'kick']);
    discord.application.allowed.set('kick', new Set([helpers.id]));
    expect(discord.people.offered(bea)).toEqual(['status', 'kick']);
    expect(() => discord.people.use(ann, 'kick')).toThrow('ann is not offered /kick');
  });

  it('is offered nothing where nobody may use commands, and an administrator everything', async () => {
    await using discord = await Discord.start();
    await using bot = new LibraryBot(discord);
    const { guild, people, channel } = discord;
    const ann = guild.addMember('ann');
    const bea = guild.addMember('bea', {
      roles: [guild.addRole('administrators', PermissionFlagsBits.Administrator)],
    });
    await declare(bot, discord, [status, { ...status, name: 'kick', default_member_permissions: '0' }]);
    const deny = PermissionFlagsBits.UseApplicationCommands;
    channel.overwrites.set(guild.id, { of: 'role', allow: 0n, deny });
    expect(people.offered(ann)).toEqual([]);
    expect(people.offered(bea)).toEqual(['status', 'kick']);
  });

  it.each([
    [{}, 'player is required'],
    [{ player: 7 }, 'player cannot be 7'],
    [{ player: 'ann', minutes: 2 ** 53 }, 'minutes cannot be 9007199254740992'],
    [{ player: 'ann', minutes: 61 }, 'minutes cannot be 61'],
    [{ player: 'ann', how: 'loudly' }, 'how cannot be "loudly"'],
    [{ player: 'ann', why: 'because' }, 'there is no option why'],
  ])('cannot enter %j', async (entered, problem) => {
    await using discord = await Discord.start();
    await using bot = new LibraryBot(discord);
    const ann = discord.guild.addMember('ann');
    await declare(bot, discord, [
      {
        name: 'ban',
        description: 'Sends somebody away',
        options: [
          { type: 3, name: 'player', description: 'Whom', required: true },
          { type: 4, name: 'minutes', description: 'For how long', max_value: 60 },
          { type: 3, name: 'how', description: 'How', choices: [{ name: 'quietly', value: 'quietly' }] },
        ],
      },
    ]);
    expect(() => discord.people.use(ann, 'ban', entered)).toThrow(problem);
  });
});

describe('an interaction', () => {
  async function used() {
    const clock = new ManualClock();
    const discord = await Discord.start({ clock });
    const bot = new LibraryBot(discord);
    const role = discord.guild.addRole('operators');
    const ann = discord.guild.addMember('ann', { roles: [role] });
    await declare(bot, discord, [status]);
    const use = discord.people.use(ann, 'status');
    const stack = new AsyncDisposableStack();
    stack.use(discord);
    stack.use(bot);
    const { interactions } = bot.api;
    const application = discord.application.id;
    return {
      clock,
      discord,
      use,
      interactions,
      application,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  }

  it('reaches the bot with who used it, and its answer is seen by that one only', async () => {
    await using discord = await Discord.start();
    await using bot = await LibraryBot.connect(discord);
    const role = discord.guild.addRole('operators');
    const ann = discord.guild.addMember('ann', { roles: [role] });
    await declare(bot, discord, [{ ...status, options: [text] }]);
    const reached = Promise.withResolvers<unknown>();
    bot.client.once('INTERACTION_CREATE', async ({ data, api }) => {
      reached.resolve(data);
      await api.interactions.defer(data.id, data.token, { flags: MessageFlags.Ephemeral });
      await api.interactions.editReply(data.application_id, data.token, { content: 'all is well' });
    });
    const use = discord.people.use(ann, 'status', { text: 'please' });
    expect(await reached.promise).toMatchObject({
      data: { name: 'status', options: [{ name: 'text', value: 'please' }] },
      member: { roles: [role.id], user: { id: ann.user.id } },
      channel_id: discord.channel.id,
    });
    expect(await use.answer()).toMatchObject({ content: 'all is well', isEphemeral: true });
    expect(discord.channel.messages).toEqual([]);
  });

  it('is answered within three seconds, or the caller is told that nobody did', async () => {
    await using game = await used();
    const { clock, use, interactions } = game;
    clock.advance(3_001);
    expect(use.state).toBe('failed');
    expect(await use.answer()).toBeUndefined();
    expect(await refusal(interactions.reply(use.id, use.token, { content: 'late' }))).toMatchObject({
      status: 404,
      code: 10_062,
    });
  });

  it('is known by its id and its token together', async () => {
    await using game = await used();
    const { use, interactions, discord } = game;
    const reply = interactions.reply(discord.channel.id, use.token, { content: 'a' });
    expect(await refusal(reply)).toMatchObject({ status: 404, code: 10_062 });
  });

  it('is answered once', async () => {
    await using game = await used();
    const { use, interactions } = game;
    await interactions.reply(use.id, use.token, { content: 'first' });
    expect(await refusal(interactions.reply(use.id, use.token, { content: 'second' }))).toMatchObject({
      status: 400,
      code: 40_060,
    });
    expect(use.answers).toMatchObject([{ content: 'first', isEphemeral: false }]);
  });

  it('has nobody behind its token before the first answer, nor after fifteen minutes', async () => {
    await using game = await used();
    const { clock, use, interactions, application } = game;
    const edit = () => refusal(interactions.editReply(application, use.token, { content: 'more' }));
    expect(await edit()).toMatchObject({ status: 404, code: 10_015 });
    await interactions.defer(use.id, use.token);
    clock.advance(15 * 60_000 + 1);
    expect(await edit()).toMatchObject({ status: 401, code: 50_027 });
  });

  it('keeps its promise with what follows first, seen by those who saw the promise', async () => {
    await using game = await used();
    const { use, interactions, application, discord } = game;
    await interactions.defer(use.id, use.token, { flags: MessageFlags.Ephemeral });
    expect(use.state).toBe('thinking');
    await interactions.followUp(application, use.token, { content: 'for you' });
    await interactions.followUp(application, use.token, { content: 'for all' });
    expect(use.answers).toMatchObject([
      { content: 'for you', isEphemeral: true },
      { content: 'for all', isEphemeral: false },
    ]);
    expect(discord.channel.messages.map(({ content }) => content)).toEqual(['for all']);
  });

  it('is shown to all while it is promised, edited and taken back', async () => {
    await using game = await used();
    const { use, interactions, application, discord } = game;
    await interactions.defer(use.id, use.token);
    expect(discord.channel.messages).toMatchObject([{ content: '', flags: MessageFlags.Loading }]);
    await interactions.editReply(application, use.token, { content: 'well' });
    await interactions.editReply(application, use.token, { content: 'very well' });
    expect(discord.channel.messages).toMatchObject([{ content: 'very well', flags: 0 }]);
    expect(await use.answer()).toMatchObject({ content: 'well' });
    await interactions.deleteReply(application, use.token);
    expect(discord.channel.messages).toEqual([]);
    expect(await refusal(interactions.editReply(application, use.token, { content: 'well' }))).toMatchObject({
      status: 404,
      code: 10_008,
    });
    await interactions.followUp(application, use.token, { content: 'better' });
    expect(use.answers).toMatchObject([{ content: 'better' }]);
  });
});
