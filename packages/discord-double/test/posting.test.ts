import { PermissionFlagsBits } from '@discordjs/core';
import { ManualClock } from '@steward/testing/manual-clock';
import { describe, expect, it } from 'vitest';
import { Discord } from '../src/discord.ts';
import { withoutRateLimits } from '../src/rules/limits.ts';
import { LibraryBot } from './library-bot.ts';
import { refusal } from './refusal.ts';

async function bothOf(options: Parameters<typeof Discord.start>[0] = {}) {
  const discord = await Discord.start({ limits: withoutRateLimits, ...options });
  const bot = new LibraryBot(discord);
  const stack = new AsyncDisposableStack();
  stack.use(discord);
  stack.use(bot);
  const { channels, webhooks } = bot.api;
  const { id } = discord.channel;
  return { discord, bot, channels, webhooks, id, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const wordsOf = ({ channel }: Discord) => channel.messages.map(({ content }) => content);

describe('a message of the bot', () => {
  it.each([
    ['2,001 characters', { content: 'a'.repeat(2_001) }, { code: 50_035, paths: ['content'] }],
    ['nothing', { content: '' }, { code: 50_006 }],
    ['blanks only', { content: ' \n ' }, { code: 50_006 }],
    ['a nonce of 26 characters', { content: 'a', nonce: 'a'.repeat(26) }, { code: 50_035, paths: ['nonce'] }],
    [
      'all users and some',
      { content: 'a', allowed_mentions: { parse: ['users' as never], users: ['123456789012345678'] } },
      { code: 50_035, paths: ['allowed_mentions.parse'] },
    ],
    [
      '11 embeds',
      { embeds: Array.from({ length: 11 }, () => ({ title: 'a' })) },
      { code: 50_035, paths: ['embeds'] },
    ],
    [
      'embeds of 6,001 characters',
      { embeds: [{ description: 'a'.repeat(4_000) }, { description: 'a'.repeat(2_001) }] },
      { code: 50_035, paths: ['embeds'] },
    ],
    [
      'a reply to nothing',
      { content: 'a', message_reference: { message_id: '123456789012345678' } },
      { code: 50_035, paths: ['message_reference'] },
    ],
  ])('is refused with %s', async (_what, message, expected) => {
    await using both = await bothOf();
    expect(await refusal(both.channels.createMessage(both.id, message))).toMatchObject({
      status: 400,
      ...expected,
    });
    expect(both.discord.channel.messages).toEqual([]);
  });

  it('counts characters as people do: 2,000 emoji fit', async () => {
    await using both = await bothOf();
    const { content } = await both.channels.createMessage(both.id, { content: '🌻'.repeat(2_000) });
    expect(content).toHaveLength(4_000);
  });

  it('is stored once for its nonce, while that is remembered and enforced', async () => {
    const clock = new ManualClock();
    await using both = await bothOf({ clock });
    const post = (enforce: boolean) =>
      both.channels.createMessage(both.id, { content: 'once', nonce: 'n', enforce_nonce: enforce });
    const first = await post(true);
    expect((await post(true)).id).toBe(first.id);
    expect((await post(false)).id).not.toBe(first.id);
    clock.advance(10 * 60_000);
    expect((await post(true)).id).not.toBe(first.id);
    expect(both.discord.channel.messages).toHaveLength(3);
  });

  it('calls whom it names unless it says otherwise, and everybody only with the permission', async () => {
    await using both = await bothOf();
    const { discord, channels, id } = both;
    const ann = discord.guild.addMember('ann');
    const content = `@everyone <@${ann.user.id}>`;
    await channels.createMessage(id, { content });
    await channels.createMessage(id, { content, allowed_mentions: { parse: [] } });
    discord.permit(
      PermissionFlagsBits.ViewChannel |
        PermissionFlagsBits.SendMessages |
        PermissionFlagsBits.MentionEveryone,
    );
    await channels.createMessage(id, { content });
    expect(discord.channel.messages).toMatchObject([
      { mention_everyone: false, mentions: [{ id: ann.user.id }] },
      { mention_everyone: false, mentions: [] },
      { mention_everyone: true, mentions: [{ id: ann.user.id }] },
    ]);
  });

  it('calls a role that everybody may call', async () => {
    await using both = await bothOf();
    const quiet = both.discord.guild.addRole('quiet');
    const loud = Object.assign(both.discord.guild.addRole('loud'), { mentionable: true });
    const content = `<@&${quiet.id}> <@&${loud.id}>`;
    expect(await both.channels.createMessage(both.id, { content })).toMatchObject({
      mention_roles: [loud.id],
    });
  });

  it('can be edited and deleted; another’s cannot be edited, nor deleted without the permission', async () => {
    await using both = await bothOf();
    const { discord, channels, id } = both;
    const own = await channels.createMessage(id, { content: 'one' });
    const other = discord.people.say(discord.guild.addMember('ann'), 'two');
    await channels.editMessage(id, own.id, { embeds: [{ title: 'picture' }] });
    await channels.editMessage(id, own.id, { content: 'three' });
    expect(await refusal(channels.editMessage(id, other.id, { content: 'four' }))).toMatchObject({
      status: 403,
      code: 50_005,
    });
    expect(await refusal(channels.deleteMessage(id, other.id))).toMatchObject({ status: 403, code: 50_013 });
    expect(discord.channel.messages).toMatchObject([
      { content: 'three', embeds: [{ title: 'picture' }], edited_timestamp: expect.any(String) },
      { content: 'two' },
    ]);
    await channels.deleteMessage(id, own.id);
    expect(wordsOf(discord)).toEqual(['two']);
    expect(await refusal(channels.getMessage(id, own.id))).toMatchObject({ status: 404, code: 10_008 });
  });
});

describe('what the bot may not', () => {
  const { ViewChannel, SendMessages, ReadMessageHistory } = PermissionFlagsBits;

  it.each([
    ['see the channel', SendMessages, { status: 403, code: 50_001 }],
    ['send', ViewChannel, { status: 403, code: 50_013 }],
  ])('%s is told when it posts', async (_what, permissions, expected) => {
    await using both = await bothOf();
    both.discord.permit(permissions);
    expect(await refusal(both.channels.createMessage(both.id, { content: 'a' }))).toMatchObject(expected);
  });

  it('do with webhooks is told when it lists or makes them', async () => {
    await using both = await bothOf();
    both.discord.permit(ViewChannel | SendMessages);
    const { id: hook } = both.discord.people.addWebhook('manually');
    expect(await refusal(both.webhooks.delete(hook))).toMatchObject({ code: 50_013 });
    expect(await refusal(both.channels.getWebhooks(both.id))).toMatchObject({ status: 403, code: 50_013 });
    expect(await refusal(both.channels.createWebhook(both.id, { name: 'a' }))).toMatchObject({
      code: 50_013,
    });
  });

  it('read of the past is an empty list, and no error', async () => {
    await using both = await bothOf();
    both.discord.people.say(both.discord.guild.addMember('ann'), 'hello');
    both.discord.permit(ViewChannel);
    expect(await both.channels.getMessages(both.id)).toEqual([]);
    both.discord.permit(ViewChannel | ReadMessageHistory);
    expect(await both.channels.getMessages(both.id)).toMatchObject([{ content: 'hello' }]);
  });

  it('find is unknown', async () => {
    await using both = await bothOf();
    expect(await refusal(both.channels.get('123456789012345678'))).toMatchObject({
      status: 404,
      code: 10_003,
    });
    const voice = both.discord.guild.addChannel('voice', 2);
    expect(await refusal(both.channels.createMessage(voice.id, { content: 'a' }))).toMatchObject({
      code: 50_008,
    });
    both.discord.guild.deleteChannel(both.discord.channel);
    expect(await refusal(both.channels.createMessage(both.id, { content: 'a' }))).toMatchObject({
      code: 10_003,
    });
  });

  it('do in a thread it may not by the channel’s permission', async () => {
    await using both = await bothOf();
    const thread = both.discord.guild.addChannel('thread', 11);
    both.discord.permit(ViewChannel | SendMessages, thread);
    expect(await refusal(both.channels.createMessage(thread.id, { content: 'a' }))).toMatchObject({
      code: 50_013,
    });
  });
});

describe('pages of messages', () => {
  it('are newest first, after, before or around an id, and of a hundred at most', async () => {
    await using both = await bothOf();
    const { discord, channels, id } = both;
    const ann = discord.guild.addMember('ann');
    const said = Array.from({ length: 120 }, (_, index) => discord.people.say(ann, `${index}`));
    const page = async (query: object) =>
      (await channels.getMessages(id, query)).map(({ content }) => Number(content));
    const after = said[9]?.id ?? '';
    expect(await page({})).toEqual(Array.from({ length: 50 }, (_, index) => 119 - index));
    expect(await page({ after, limit: 3 })).toEqual([12, 11, 10]);
    expect(await page({ before: after, limit: 2 })).toEqual([8, 7]);
    expect(await page({ around: after, limit: 3 })).toEqual([10, 9, 8]);
    expect(await page({ after, limit: 100 })).toHaveLength(100);
    expect(await refusal(channels.getMessages(id, { limit: 101 }))).toMatchObject({
      code: 50_035,
      paths: ['limit'],
    });
  });

  it('are emptied when nobody has switched on that the bot may read', async () => {
    await using both = await bothOf();
    const { discord, channels, id } = both;
    const ann = discord.guild.addMember('ann');
    discord.application.privileged.messageContent = false;
    discord.people.say(ann, 'between us', { attachments: ['map.png'] });
    discord.people.say(ann, `hello <@${discord.bot.user.id}>`);
    await channels.createMessage(id, { content: 'mine' });
    expect(await channels.getMessages(id)).toMatchObject([
      { content: 'mine' },
      { content: expect.stringContaining('hello') },
      { content: '', attachments: [] },
    ]);
  });
});

describe('a webhook', () => {
  it('posts under any name, tells what it posted only when it is asked to, and keeps its token', async () => {
    await using both = await bothOf();
    const { discord, channels, webhooks, id } = both;
    const made = await channels.createWebhook(id, { name: 'farm' });
    const token = made.token ?? '';
    const posted = await webhooks.execute(made.id, token, {
      content: 'hello',
      username: 'Ann',
      avatar_url: 'https://example.org/ann.png',
      wait: true,
    });
    expect(posted).toMatchObject({
      webhook_id: made.id,
      application_id: discord.application.id,
      author: { username: 'Ann', bot: true },
    });
    expect(await webhooks.execute(made.id, token, { content: 'again' })).not.toHaveProperty('id');
    expect(discord.channel.messages).toMatchObject([
      { author: { username: 'Ann' } },
      { author: { username: 'farm' } },
    ]);
    expect(await channels.getWebhooks(id)).toMatchObject([
      { id: made.id, token, application_id: discord.application.id },
    ]);
    await webhooks.editMessage(made.id, token, posted.id, { content: 'hello all' });
    expect(wordsOf(discord)).toEqual(['hello all', 'again']);
  });

  it.each([
    ['clyde', 'username'],
    ['xX_Clyde_Xx', 'username'],
    ['Discordia', 'username'],
    ['groundsphere discord', 'username'],
    ['Everyone', 'username'],
    ['here', 'username'],
    ['a'.repeat(81), 'username'],
  ])('is not called %s', async (username, path) => {
    await using both = await bothOf();
    const { channels, webhooks, id } = both;
    const { id: hook, token = '' } = await channels.createWebhook(id, { name: 'farm' });
    const post = webhooks.execute(hook, token, { content: 'a', username, wait: true });
    expect(await refusal(post)).toMatchObject({ status: 400, code: 50_035, paths: [path] });
    expect(await refusal(channels.createWebhook(id, { name: username }))).toMatchObject({ paths: ['name'] });
  });

  it('takes pictures from the web only', async () => {
    await using both = await bothOf();
    const { id: hook, token = '' } = await both.channels.createWebhook(both.id, { name: 'farm' });
    const post = both.webhooks.execute(hook, token, { content: 'a', avatar_url: 'data:,a', wait: true });
    expect(await refusal(post)).toMatchObject({ code: 50_035, paths: ['avatar_url'] });
  });

  it('calls users where it says nothing, and never everybody', async () => {
    await using both = await bothOf();
    const { discord, channels, webhooks, id } = both;
    const ann = discord.guild.addMember('ann');
    const { id: hook, token = '' } = await channels.createWebhook(id, { name: 'farm' });
    await webhooks.execute(hook, token, { content: `@everyone <@${ann.user.id}>` });
    expect(discord.channel.messages).toMatchObject([
      { mention_everyone: false, mentions: [{ id: ann.user.id }] },
    ]);
  });

  it('of another application keeps its token to itself, and one made manually does not', async () => {
    await using both = await bothOf();
    both.discord.people.addWebhook('theirs', '123456789012345678');
    const byHand = both.discord.people.addWebhook('manually');
    const [theirs, other] = await both.channels.getWebhooks(both.id);
    expect(theirs).not.toHaveProperty('token');
    expect(other).toMatchObject({ token: byHand.token, application_id: null });
  });

  it('touches what it posted itself, and nothing else', async () => {
    await using both = await bothOf();
    const { discord, channels, webhooks, id } = both;
    const { id: hook, token = '' } = await channels.createWebhook(id, { name: 'farm' });
    const other = discord.people.say(discord.guild.addMember('ann'), 'hello');
    const edit = webhooks.editMessage(hook, token, other.id, { content: 'a' });
    expect(await refusal(edit)).toMatchObject({ status: 404, code: 10_008 });
  });

  it('posts into a thread of its channel, and into nothing else', async () => {
    await using both = await bothOf();
    const { discord, channels, webhooks, id } = both;
    const { id: hook, token = '' } = await channels.createWebhook(id, { name: 'farm' });
    const thread = discord.guild.addChannel('thread', 11, discord.channel);
    await webhooks.execute(hook, token, { content: 'a', thread_id: thread.id });
    expect(thread.messages).toMatchObject([{ content: 'a' }]);
    const another = discord.guild.addChannel('another', 11, discord.guild.addChannel('other'));
    for (const thread_id of [id, another.id]) {
      const post = webhooks.execute(hook, token, { content: 'a', thread_id });
      expect(await refusal(post)).toMatchObject({ status: 404, code: 10_003 });
    }
  });

  it('keeps its id and its token when somebody moves it to another channel, and posts there', async () => {
    await using both = await bothOf();
    const { discord, channels, webhooks, id } = both;
    const { id: hook, token = '' } = await channels.createWebhook(id, { name: 'farm' });
    const other = discord.guild.addChannel('other');
    for (const webhook of discord.channel.webhooks.values()) discord.people.moveWebhook(webhook, other);
    const posted = await webhooks.execute(hook, token, { content: 'a', wait: true });
    expect(posted.channel_id).toBe(other.id);
    expect([discord.channel.messages, other.messages]).toMatchObject([[], [{ content: 'a' }]]);
    expect(await channels.getWebhooks(id)).toEqual([]);
    expect(await channels.getWebhooks(other.id)).toMatchObject([{ id: hook, token }]);
  });

  it('is one of fifteen in its channel', async () => {
    await using both = await bothOf();
    for (let made = 0; made < 15; made += 1)
      await both.channels.createWebhook(both.id, { name: `farm ${made}` });
    expect(await refusal(both.channels.createWebhook(both.id, { name: 'farm' }))).toMatchObject({
      status: 400,
      code: 30_007,
    });
  });

  it('is gone when it was deleted, and closed to who does not know its token', async () => {
    await using both = await bothOf();
    const { channels, webhooks, id } = both;
    const { id: hook, token = '' } = await channels.createWebhook(id, { name: 'farm' });
    const post = (by: string) => refusal(webhooks.execute(hook, by, { content: 'a' }));
    expect(await post('another')).toMatchObject({ status: 401, code: 50_027 });
    await webhooks.delete(hook);
    expect(await post(token)).toMatchObject({ status: 404, code: 10_015 });
  });
});

describe('a sign below a message', () => {
  it('stands there once, whoever’s message it is', async () => {
    await using at = await bothOf();
    const { id } = at.discord.people.say(at.discord.guild.addMember('ann'), 'hello');
    for (const sign of ['❌', '✂️', '❌']) await at.channels.addMessageReaction(at.id, id, sign);
    expect(at.discord.channel.message(id)?.reactions).toMatchObject([
      { emoji: { name: '❌' }, count: 1, me: true },
      { emoji: { name: '✂️' }, count: 1 },
    ]);
  });

  it('takes the permission to add one and to read what was said, and is one that there is', async () => {
    await using at = await bothOf();
    const { id } = at.discord.people.say(at.discord.guild.addMember('ann'), 'hello');
    const { ViewChannel, AddReactions, ReadMessageHistory } = PermissionFlagsBits;
    expect(await refusal(at.channels.addMessageReaction(at.id, id, 'x'))).toMatchObject({ code: 10_014 });
    expect(await refusal(at.channels.addMessageReaction(at.id, at.id, '❌'))).toMatchObject({ code: 10_008 });
    for (const few of [ViewChannel | AddReactions, ViewChannel | ReadMessageHistory]) {
      at.discord.permit(few);
      expect(await refusal(at.channels.addMessageReaction(at.id, id, '❌'))).toMatchObject({ code: 50_013 });
    }
  });
});
