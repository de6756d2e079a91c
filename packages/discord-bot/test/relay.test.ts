import { readFile } from 'node:fs/promises';
import { ManualClock } from '@steward/testing/manual-clock';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { describe, expect, it } from 'vitest';
import { botStage } from './stage/bot-stage.ts';

const toWebhook = 'POST /webhooks/:webhookId/:token';
const asBot = 'POST /channels/:channelId/messages';

const { ViewChannel, SendMessages, ReadMessageHistory, AddReactions } = PermissionFlagsBits;
/** Enough for the chat, and not for names of their own. */
const least = ViewChannel | SendMessages | ReadMessageHistory | AddReactions;

describe('from the farm to Discord', () => {
  it('players speak under their own names, and nobody is called by what they say', async () => {
    await using stage = await botStage();
    await stage.open();
    stage.farm.say('good *morning* @everyone');
    stage.farm.say('hello', 'Discordia');
    stage.farm.say('hi', 'everyone');
    const shown = await stage.shown(3);
    expect(shown).toEqual([
      'Robin: good \\*morning\\* @\u200beveryone',
      'Disc\u043erdia: hello',
      '\u0435v\u0435ry\u043en\u0435: hi',
    ]);
    expect(stage.discord.channel.messages.some((each) => each.mention_everyone)).toBe(false);
  });

  it('the bot speaks itself where it may not do that', async () => {
    await using stage = await botStage();
    stage.discord.permit(least);
    await stage.open();
    expect(stage.lines).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(/Manage Webhooks/) }),
    );
    stage.farm.say('hi', '_x_');
    expect(await stage.shown(1)).toEqual(['Steward: **\\_x\\_**: hi']);
  });

  it('joins, leaves and days are told, and can be switched off', async () => {
    await using stage = await botStage({ environment: { DISCORD_TELL: 'players' } });
    await stage.open();
    stage.farm.game.happens(
      { kind: 'playerJoined', playerId: '5512', playerName: 'Bo', connectionId: 'L_2' },
      { kind: 'dayStarted', day: 2, season: 'spring', year: 1 },
      { kind: 'playerLeft', playerId: '5512', playerName: 'Bo', connectionId: 'L_2' },
    );
    stage.farm.say('bye');
    const shown = (await stage.contains('bye')).join('\n');
    expect(shown).toMatch(/→ \*\*Bo\*\* joined\n← \*\*Bo\*\* left/);
    expect(shown).not.toMatch(/Spring/);
  });

  it.each([
    [toWebhook, undefined],
    [asBot, least],
  ])('an answer that is lost after a post was taken doubles nothing: %s', async (route, permissions) => {
    await using stage = await botStage();
    if (permissions !== undefined) stage.discord.permit(permissions);
    await stage.open();
    stage.discord.faults.add(route, { after: 502 }, { times: 2 });
    stage.farm.say('one');
    await stage.logged(/a post failed/);
    stage.farm.say('two');
    await stage.contains('two');
    const texts = stage.discord.channel.messages.map(({ content }) => content.replace(/^.*: /, ''));
    expect(texts).toEqual(['one', 'two']);
  });

  it('nor where Discord keeps a post a little otherwise than it was sent', async () => {
    await using stage = await botStage();
    await stage.open();
    stage.discord.faults.add(toWebhook, { after: 502 }, { times: 1 });
    stage.farm.say('one\u200b', 'Bo\u200b');
    await stage.shown(1);
    const [message] = stage.discord.channel.messages;
    // Seen of it: invisible signs at the ends are left out.
    if (message !== undefined) {
      message.content = 'one';
      message.author.username = 'Bo';
    }
    await stage.logged(/a post failed/);
    stage.farm.say('two');
    await stage.contains('two');
    expect(stage.discord.channel.messages.map(({ content }) => content)).toEqual(['one', 'two']);
  });

  it('what was lost before it was taken is posted again', async () => {
    await using stage = await botStage();
    await stage.open();
    stage.discord.faults.add(toWebhook, { before: 'closed' });
    stage.farm.say('one');
    expect(await stage.shown(1)).toEqual(['Robin: one']);
  });

  it('waits where it may not speak any more, says how to fix that, and goes on when it is fixed', async () => {
    await using stage = await botStage();
    stage.discord.permit(least);
    await stage.open();
    stage.discord.permit(least & ~SendMessages);
    stage.farm.say('one');
    expect(await stage.logged(/a post failed/)).toMatchObject({
      reason: expect.stringMatching(/Send Messages/),
    });
    stage.discord.permit(least);
    expect(await stage.shown(1)).toEqual(['Steward: **Robin**: one']);
  });

  it('a webhook that is gone is asked once, and the bot goes on by itself', async () => {
    await using stage = await botStage();
    await stage.open();
    stage.discord.channel.webhooks.clear();
    stage.farm.say('one');
    stage.farm.say('two');
    await stage.contains('two');
    const asked = stage.discord.requests.filter(({ route }) => route === toWebhook);
    expect(asked).toHaveLength(1);
    expect(stage.discord.channel.messages.map(({ content }) => content)).toEqual([
      '**Robin**: one',
      '**Robin**: two',
    ]);
  });

  it('a webhook that somebody moves to another channel takes no more than one post along', async () => {
    await using stage = await botStage();
    await stage.open();
    const { channel, guild, people } = stage.discord;
    const elsewhere = guild.addChannel('elsewhere');
    for (const webhook of channel.webhooks.values()) people.moveWebhook(webhook, elsewhere);
    stage.farm.say('one');
    await stage.logged(/the webhook was moved to another channel/);
    stage.farm.say('two');
    await stage.contains('two');
    const said = [channel, elsewhere].map(({ messages }) => messages.map(({ content }) => content));
    expect(said).toEqual([['**Robin**: two'], ['one']]);
  });

  it('what was said while the bot was away is told when it is back, a crowd of lines in few posts', async () => {
    await using stage = await botStage();
    const bot = await stage.open();
    stage.farm.say('before');
    await stage.shown(1);
    await bot.stop();
    for (let line = 0; line < 40; line += 1) stage.farm.say(`line ${line}`, line % 2 === 0 ? 'Ann' : 'Bo');
    await stage.open(2);
    const shown = await stage.contains('line 39');
    const lines = shown
      .slice(1)
      .flatMap((text) => [...text.matchAll(/line (\d+)/g)].map(([, number]) => Number(number)));
    expect(lines).toEqual(Array.from({ length: 40 }, (_, line) => line));
    expect(shown.length).toBeLessThan(10);
  });
});

it('where the farm is while it has nothing to tell is kept: one day it would not know the old place', async () => {
  await using stage = await botStage();
  const { farm, game } = stage.farm;
  const { secret } = await farm.createKey({ name: 'bot', scopes: 'chat' });
  const bot = await stage.open(1, { STEWARD_KEY: secret });
  await bot.stop();
  const kept = async (): Promise<unknown> => JSON.parse(await readFile(stage.places, 'utf8')).farm;
  const now = async () => (await farm.getEvents({ limit: 1 })).cursor;
  const [before, begun] = [await kept(), await now()];
  game.happens({ kind: 'dayStarted', day: 2, season: 'spring', year: 1 });
  await expect.poll(now).not.toBe(begun);
  await stage.open(2, { STEWARD_KEY: secret });
  await expect.poll(kept).not.toBe(before);
});

describe('from Discord to the farm', () => {
  it('what is said is shown under the name of who said it, on one line', async () => {
    await using stage = await botStage();
    await stage.open();
    stage.discord.people.say(stage.ann, 'hello\nthere');
    expect(await stage.said(1)).toEqual(['Ann (Discord): hello there']);
  });

  it('channels and roles are called there as they are called by now', async () => {
    await using stage = await botStage();
    const { guild, people } = stage.discord;
    await stage.open();
    people.say(stage.ann, 'hi');
    await stage.said(1);
    const channel = guild.addChannel('barn');
    const role = guild.addRole('farmers');
    people.say(stage.ann, `<#${channel.id}> <@&${role.id}>`);
    await stage.said(2);
    guild.renameChannel(channel, 'coop');
    guild.renameRole(role, 'ranchers');
    people.say(stage.ann, `<#${channel.id}> <@&${role.id}>`);
    expect((await stage.said(3)).slice(1)).toEqual([
      'Ann (Discord): #barn @farmers',
      'Ann (Discord): #coop @ranchers',
    ]);
  });

  it('bots, webhooks and its own posts are not carried', async () => {
    await using stage = await botStage();
    await stage.open();
    const other = stage.discord.guild.addMember('music', { isBot: true });
    stage.discord.people.say(other, 'now playing');
    stage.farm.say('mine');
    await stage.shown(2);
    stage.discord.people.say(stage.ann, 'last');
    expect(await stage.said(1)).toEqual(['Ann (Discord): last']);
  });

  it('what was said while the bot was away is shown when it is back, once', async () => {
    await using stage = await botStage();
    const bot = await stage.open();
    stage.discord.people.say(stage.ann, 'one');
    await stage.said(1);
    await bot.stop();
    for (let line = 0; line < 250; line += 1) stage.discord.people.say(stage.ann, `line ${line}`);
    await stage.open(2);
    stage.discord.people.say(stage.ann, 'end');
    const said = await stage.said(252);
    expect(said).toEqual([
      'Ann (Discord): one',
      ...Array.from({ length: 250 }, (_, line) => `Ann (Discord): line ${line}`),
      'Ann (Discord): end',
    ]);
  });

  it('what was said while a session was lost is read from the channel', async () => {
    await using stage = await botStage();
    const { gateway, people } = stage.discord;
    await stage.open();
    people.say(stage.ann, 'before');
    await stage.said(1);
    gateway.faults.connections = 'reset';
    gateway.faults.refusals = 1;
    gateway.drop();
    await stage.logged(/the connection to Discord failed/);
    people.say(stage.ann, 'in between');
    await stage.logged(/session with Discord has begun/, 2);
    people.say(stage.ann, 'after');
    expect(await stage.said(3)).toEqual(
      ['before', 'in between', 'after'].map((text) => `Ann (Discord): ${text}`),
    );
  });

  it('what was said while Discord did not continue the session is read from the channel', async () => {
    const clock = new ManualClock();
    await using stage = await botStage({ clock });
    const { gateway, people } = stage.discord;
    await stage.open();
    gateway.faults.withholdResumed = true;
    gateway.drop();
    await stage.changes.until(() => gateway.counts.resumed || undefined, { missing: () => 'nobody came' });
    people.say(stage.ann, 'in between');
    const identified = () => {
      clock.advance(1_000);
      return gateway.counts.identified;
    };
    await expect.poll(identified, { timeout: 20_000 }).toBe(2);
    people.say(stage.ann, 'after');
    expect(await stage.said(2)).toEqual(['in between', 'after'].map((text) => `Ann (Discord): ${text}`));
  });

  it('a farm that is restarted loses nothing', async () => {
    await using stage = await botStage();
    await stage.open();
    await stage.farm.stop();
    stage.discord.people.say(stage.ann, 'one');
    await stage.logged(/did not reach the game|the farm sends no events/);
    await stage.farm.start();
    expect(await stage.said(1)).toEqual(['Ann (Discord): one']);
  });

  it('who is not heard is told why, once', async () => {
    await using stage = await botStage();
    await stage.open();
    const message = `the chat is full @everyone **of** <@${stage.ann.user.id}>`;
    stage.farm.game.mood = { refuses: 'chat-full', message };
    stage.discord.people.say(stage.ann, 'one');
    stage.discord.people.say(stage.ann, 'two');
    await stage.logged(/was not shown in the game/, 2);
    const { changes, discord } = stage;
    const signs = await changes.until(
      () => {
        const all = discord.channel.messages.flatMap(({ reactions = [] }) => reactions);
        return all.length >= 2 ? all.map(({ emoji, me }) => [emoji.name, me]) : undefined;
      },
      { missing: () => 'no signs' },
    );
    expect(signs).toEqual([
      ['❌', true],
      ['❌', true],
    ]);
    const told = (await stage.shown(3)).at(-1);
    expect(told).toMatch(/^Steward: The game has not shown this: .*chat is full @\u200beveryone \\\*\\\*of/);
    expect(told).toContain('<\u200b@');
    stage.farm.game.mood = 'willing';
    stage.discord.people.say(stage.ann, 'three');
    expect(await stage.said(1)).toEqual(['Ann (Discord): three']);
    expect(stage.discord.channel.messages).toHaveLength(4);
  });
});
