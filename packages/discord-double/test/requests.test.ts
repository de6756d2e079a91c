import { ManualClock } from '@steward/testing/manual-clock';
import { describe, expect, it } from 'vitest';
import { Discord } from '../src/discord.ts';
import { withoutRateLimits } from '../src/rules/limits.ts';
import { LibraryBot } from './library-bot.ts';
import { refusal } from './refusal.ts';

const postRoute = 'POST /channels/:channelId/messages';
const agent = 'DiscordBot (https://example.org, 1.0)';

/** What a library would never send, and every header of what comes back. */
async function ask(discord: Discord, path: string, headers: Record<string, string> = {}, body?: string) {
  const response = await fetch(`${discord.api}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'user-agent': agent,
      authorization: `Bot ${discord.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const answer = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(answer) : answer };
}

describe('a request', () => {
  it.each([
    ['without a user agent of its kind', '/v10/users/@me', { 'user-agent': 'curl/8' }, 403, 40_333],
    ['without a token', '/v10/users/@me', { authorization: '' }, 401, 0],
    ['with a token that is not a bot’s', '/v10/users/@me', { authorization: 'Bearer a' }, 401, 0],
    ['for another version', '/v9/users/@me', {}, 400, 50_041],
    ['for what there is not', '/v10/nothing', {}, 404, 0],
  ])('%s is refused', async (_what, path, headers, status, code) => {
    await using discord = await Discord.start();
    expect(await ask(discord, path, headers)).toMatchObject({ status, body: { code } });
  });

  it('with a body that is no JSON is refused', async () => {
    await using discord = await Discord.start();
    const path = `/v10/channels/${discord.channel.id}/messages`;
    expect(await ask(discord, path, {}, '{')).toMatchObject({ status: 400, body: { code: 50_109 } });
  });

  it('about the bot, its guild and its channel is answered', async () => {
    await using discord = await Discord.start();
    await using bot = new LibraryBot(discord);
    const { guild, channel, application } = discord;
    const ann = guild.addMember('ann', { nick: 'Ann' });
    expect(await bot.api.users.getCurrent()).toMatchObject({ id: discord.bot.user.id, bot: true });
    expect(await bot.api.applications.getCurrent()).toMatchObject({ id: application.id, flags: 1 << 19 });
    expect(await bot.api.channels.get(channel.id)).toMatchObject({ name: 'farm', guild_id: guild.id });
    expect(await bot.api.guilds.get(guild.id)).toMatchObject({ owner_id: guild.owner.user.id });
    expect(await bot.api.guilds.getRoles(guild.id)).toMatchObject([{ id: guild.id }, { name: 'Steward' }]);
    expect(await bot.api.guilds.getMember(guild.id, ann.user.id)).toMatchObject({ nick: 'Ann' });
    expect(await refusal(bot.api.guilds.get(channel.id))).toMatchObject({ status: 404, code: 10_004 });
    expect(await refusal(bot.api.guilds.getMember(guild.id, channel.id))).toMatchObject({ code: 10_007 });
  });

  it('with a wrong token makes the library forget it', async () => {
    await using discord = await Discord.start();
    await using bot = new LibraryBot(discord, { token: 'wrong' });
    expect(await refusal(bot.api.users.getCurrent())).toMatchObject({ status: 401 });
    await expect(bot.api.users.getCurrent()).rejects.toThrow('Expected token to be set');
    expect(discord.rateLimits.invalidRequests).toBe(1);
  });

  it('is not heard any more after too many that should not have been made', async () => {
    await using discord = await Discord.start({
      limits: { invalidRequests: { limit: 2, windowMs: 60_000 } },
    });
    for (let asked = 0; asked < 2; asked += 1)
      await ask(discord, '/v10/users/@me', { authorization: 'Bot wrong' });
    expect(await ask(discord, '/v10/users/@me')).toMatchObject({ status: 429, body: expect.any(String) });
  });
});

describe('a bucket', () => {
  const page = (discord: Discord, channel = discord.channel) =>
    ask(discord, `/v10/channels/${channel.id}/messages`);
  const told = ({ headers }: Awaited<ReturnType<typeof page>>) =>
    Object.fromEntries([...headers].filter(([name]) => /^x-ratelimit|retry/.test(name)));

  it('tells how full it is, and refuses with how long to wait', async () => {
    const clock = new ManualClock();
    await using discord = await Discord.start({ clock });
    const first = told(await page(discord));
    expect(first).toEqual({
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '4',
      'x-ratelimit-reset': ((clock.date().getTime() + 5_000) / 1_000).toFixed(3),
      'x-ratelimit-reset-after': '5.000',
      'x-ratelimit-bucket': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    for (let asked = 0; asked < 4; asked += 1) await page(discord);
    clock.advance(1_500);
    const refused = await page(discord);
    expect(refused).toMatchObject({ status: 429, body: { retry_after: 3.5, global: false } });
    expect(told(refused)).toMatchObject({
      'retry-after': '4',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-after': '3.500',
      'x-ratelimit-scope': 'user',
    });
    clock.advance(3_500);
    expect(told(await page(discord))).toMatchObject({ 'x-ratelimit-remaining': '4' });
  });

  it('is each channel’s own', async () => {
    await using discord = await Discord.start({ clock: new ManualClock() });
    const other = discord.guild.addChannel('other');
    const first = told(await page(discord));
    const second = told(await page(discord, other));
    expect(second['x-ratelimit-remaining']).toBe('4');
    expect(second['x-ratelimit-bucket']).toBe(first['x-ratelimit-bucket']);
  });

  it('of all requests is full at fifty a second', async () => {
    const clock = new ManualClock();
    const limits = { otherRoutes: { limit: 1_000, windowMs: 1_000 } };
    await using discord = await Discord.start({ clock, limits });
    for (let asked = 0; asked < 50; asked += 1) await ask(discord, '/v10/users/@me');
    const refused = await ask(discord, '/v10/users/@me');
    expect(refused).toMatchObject({ status: 429, body: { global: true } });
    expect(told(refused)).toMatchObject({ 'x-ratelimit-global': 'true', 'x-ratelimit-scope': 'global' });
    clock.advance(1_000);
    expect(await ask(discord, '/v10/users/@me')).toMatchObject({ status: 200 });
  });

  it('of an address is full at fifty a second as well, answers to interactions left out', async () => {
    const limits = { otherRoutes: { limit: 1_000, windowMs: 1_000 } };
    await using discord = await Discord.start({ clock: new ManualClock(), limits });
    const fifty = async (id: string) => {
      for (let asked = 0; asked < 50; asked += 1) await ask(discord, `/v10/webhooks/${id}/token/messages/1`);
      return ask(discord, `/v10/webhooks/${id}/token/messages/1`);
    };
    expect(await fifty(discord.application.id)).toMatchObject({ status: 401 });
    expect(await fifty(discord.channel.id)).toMatchObject({ status: 429, body: { global: true } });
  });
});

// All at once: each waits for the library, which counts in seconds.
describe.concurrent('the library', () => {
  it('waits for a bucket that it was told of, and meets no refusal', async ({ expect }) => {
    const limits = { routes: { [postRoute]: { limit: 5, windowMs: 300 } } };
    await using discord = await Discord.start({ limits });
    await using bot = new LibraryBot(discord);
    const words = Array.from({ length: 12 }, (_, index) => `${index}`);
    await Promise.all(
      words.map((content) => bot.api.channels.createMessage(discord.channel.id, { content })),
    );
    expect(discord.channel.messages.map(({ content }) => content)).toEqual(words);
    expect(discord.requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(bot.counts.rateLimited).toBeGreaterThan(0);
  });

  it('waits for the bucket of all webhooks of a channel, of which it was told nothing', async ({
    expect,
  }) => {
    // By the machine’s own clock the bucket may have room again before the third.
    const clock = new ManualClock();
    const limits = { webhookPosts: { limit: 2, windowMs: 300 } };
    await using discord = await Discord.start({ clock, limits });
    const refused = Promise.withResolvers<void>();
    discord.onChange(() => {
      if (discord.requests.some(({ status }) => status === 429)) refused.resolve();
    });
    await using bot = new LibraryBot(discord);
    const { id, token = '' } = await bot.api.channels.createWebhook(discord.channel.id, { name: 'farm' });
    const words = ['1', '2', '3'];
    const posted = Promise.all(words.map((content) => bot.api.webhooks.execute(id, token, { content })));
    await Promise.race([refused.promise, posted]);
    clock.advance(300);
    await posted;
    expect(discord.channel.messages.map(({ content }) => content)).toEqual(words);
    expect(discord.requests.map(({ status }) => status)).toEqual([200, 204, 204, 429, 204]);
    // Shared with others: nobody's fault.
    expect(discord.rateLimits.invalidRequests).toBe(0);
  });

  it.for(['user', 'global'] as const)(
    'asks again what was refused for no reason (%s)',
    async (scope, { expect }) => {
      await using discord = await Discord.start();
      await using bot = new LibraryBot(discord);
      discord.faults.add(postRoute, { rateLimited: { retryAfterMs: 10, scope } }, { skip: 1 });
      for (const content of ['1', '2']) await bot.api.channels.createMessage(discord.channel.id, { content });
      expect(discord.requests.map(({ status }) => status)).toEqual([200, 429, 200]);
      expect(discord.channel.messages).toHaveLength(2);
      expect(discord.rateLimits.invalidRequests).toBe(1);
    },
  );
});

describe('an answer that is lost', () => {
  const post = (bot: LibraryBot, discord: Discord, nonce = '') =>
    bot.api.channels.createMessage(discord.channel.id, {
      content: 'hello',
      ...(nonce === '' ? {} : { nonce, enforce_nonce: true }),
    });

  it.each([
    ['closed', { before: 'closed' }, 0],
    ['reset', { before: 'reset' }, 0],
    ['an error of the way', { before: 502 }, 0],
    ['closed after the message was stored', { after: 'closed' }, 1],
    ['reset after the message was stored', { after: 'reset' }, 1],
    ['an error of the way after the message was stored', { after: 502 }, 1],
  ] as const)('by a connection that is %s is an error', async (_what, fault, stored) => {
    await using discord = await Discord.start();
    await using bot = new LibraryBot(discord);
    discord.faults.add(postRoute, fault);
    await expect(post(bot, discord)).rejects.toThrow();
    expect(discord.channel.messages).toHaveLength(stored);
    await post(bot, discord);
    expect(discord.channel.messages).toHaveLength(stored + 1);
  });

  it('doubles a message when it is posted again, except by its nonce', async () => {
    await using discord = await Discord.start({ limits: withoutRateLimits });
    await using bot = new LibraryBot(discord);
    bot.rest.options.retries = 3;
    discord.faults.add(postRoute, { after: 502 });
    await post(bot, discord);
    expect(discord.channel.messages).toHaveLength(2);
    discord.faults.add(postRoute, { after: 502 });
    await post(bot, discord, 'n');
    expect(discord.channel.messages).toHaveLength(3);
  });

  it('can come late', async () => {
    const clock = new ManualClock();
    await using discord = await Discord.start({ clock });
    await using bot = new LibraryBot(discord);
    const asked = Promise.withResolvers<void>();
    discord.onChange(asked.resolve);
    discord.faults.add(postRoute, { delayMs: 10_000 });
    const posted = post(bot, discord);
    await asked.promise;
    expect(discord.channel.messages).toEqual([]);
    clock.advance(10_000);
    expect(await posted).toMatchObject({ content: 'hello' });
  });
});
