import { ActivityType, PresenceUpdateStatus } from '@discordjs/core';
import { Changes } from '@steward/testing/changes';
import { expect, it } from 'vitest';
import { Discord } from '../src/discord.ts';
import { LibraryBot } from './library-bot.ts';

it('the unmodified libraries identify, hear what is said, post and set a presence', async () => {
  await using discord = await Discord.start();
  await using bot = await LibraryBot.connect(discord);
  const ann = discord.guild.addMember('ann', { nick: 'Ann' });
  discord.people.say(ann, 'hello');
  await bot.hears(1);
  expect(bot.heard[0]).toMatchObject({
    content: 'hello',
    channel_id: discord.channel.id,
    guild_id: discord.guild.id,
    author: { username: 'ann' },
    member: { nick: 'Ann' },
  });
  const posted = await bot.api.channels.createMessage(discord.channel.id, {
    content: 'and hello to you',
    allowed_mentions: { parse: [] },
  });
  await bot.hears(2);
  expect(bot.heard[1]).toMatchObject({ id: posted.id, author: { id: discord.bot.user.id } });
  const changes = new Changes();
  discord.onChange(changes.told);
  const activities = [{ name: 'the farm', type: ActivityType.Watching }];
  const presence = { since: null, activities, status: PresenceUpdateStatus.Online, afk: false };
  await bot.client.updatePresence(0, presence);
  const [shown] = await changes.until(
    () => (discord.gateway.presences.length > 0 ? discord.gateway.presences : undefined),
    { missing: () => 'no presence' },
  );
  expect(shown).toMatchObject({ ...presence, isShown: true });
  expect(discord.channel.messages.map(({ content }) => content)).toEqual(['hello', 'and hello to you']);
});
