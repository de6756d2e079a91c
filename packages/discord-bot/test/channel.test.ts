import { API } from '@discordjs/core/http-only';
import { REST } from '@discordjs/rest';
import { Discord } from '@steward/discord-double/discord';
import { withoutRateLimits } from '@steward/discord-double/rules/limits';
import { expect, it } from 'vitest';
import { Channel } from '../src/discord/channel.ts';

/** A channel, and Ann, who writes in it. */
async function stage() {
  const discord = await Discord.start({ limits: withoutRateLimits });
  const webhook = discord.channel.addWebhook('farm', discord.bot.user, discord.application.id);
  const ann = discord.guild.addMember('ann', { nick: 'Ann' });
  const channel = new Channel({
    api: new API(new REST({ api: discord.api, retries: 0 }).setToken(discord.token)),
    id: discord.channel.id,
    guild: discord.guild,
    self: discord.bot.user.id,
    application: discord.application.id,
    webhook,
    avatar: undefined,
    newest: '1',
  });
  return {
    discord,
    webhook,
    ann,
    channel,
    nick: () => channel.nickOf({ author: ann.user }),
    [Symbol.asyncDispose]: () => discord[Symbol.asyncDispose](),
  };
}

it('how somebody is called is looked up once, and again when the names are forgotten', async () => {
  await using at = await stage();
  expect([await at.nick(), await at.nick()]).toEqual(['Ann', 'Ann']);
  expect(at.discord.requests).toHaveLength(1);
  at.ann.nick = 'Annie';
  at.channel.forgetNicks();
  expect(await at.nick()).toBe('Annie');
});

it('what could not be looked up is looked up again, and who has left the server is not', async () => {
  await using at = await stage();
  at.discord.faults.add('GET /guilds/:guildId/members/:userId', { before: 502 });
  expect([await at.nick(), await at.nick()]).toEqual([undefined, 'Ann']);
  at.channel.forgetNicks();
  at.discord.guild.members.delete(at.ann.user.id);
  const { length } = at.discord.requests;
  await at.nick();
  await at.nick();
  expect(at.discord.requests).toHaveLength(length + 1);
});

it('what is said goes into the channel itself once somebody has moved its webhook to another one', async () => {
  await using at = await stage();
  const { discord, webhook } = at;
  const elsewhere = discord.guild.addChannel('elsewhere');
  const say = (content: string) => at.channel.post({ content, nonce: content, since: '1' });
  await say('one');
  discord.people.moveWebhook(webhook, elsewhere);
  await say('two');
  expect(at.channel.hasNames).toBe(false);
  await say('three');
  const said = [discord.channel, elsewhere].map(({ messages }) => messages.map(({ content }) => content));
  expect(said).toEqual([['one', 'three'], ['two']]);
});
