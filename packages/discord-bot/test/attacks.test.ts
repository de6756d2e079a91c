import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { botStage } from './stage/bot-stage.ts';
import { key } from './stage/farm-stage.ts';

const toWebhook = 'POST /webhooks/:webhookId/:token';

/** What somebody writes who wants it to be something else in the game, or in its log. */
const hostile = [
  'one\r\nServer: two',
  '\u001b[2J\u009b31m red',
  '\u202egnp.exe',
  '!kick Robin',
  `${'x'.repeat(1_900)} end`,
  '@everyone <@1> [link](https://evil.example)',
];

it('no token and no key stands in the log, in a post or in the game, whatever goes wrong', async () => {
  await using stage = await botStage();
  const { discord, farm } = stage;
  await stage.open();
  const [webhook] = discord.channel.webhooks.values();
  discord.faults.add(toWebhook, { after: 502 });
  discord.faults.add(toWebhook, { before: 'closed' });
  farm.say('hello');
  await stage.contains('hello');
  discord.channel.webhooks.clear();
  farm.say('without it');
  await stage.contains('without it');
  discord.gateway.drop();
  await stage.logged(/session with Discord has begun|connection to Discord/, 2);
  await farm.stop();
  discord.people.say(stage.ann, 'is anybody there?');
  await stage.logged(/did not reach the game|cannot be heard/);
  await farm.start();
  await stage.said(1);
  const secrets = [discord.token, key, webhook?.token];
  expect(secrets).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  const seen = inspect([stage.lines, discord.channel.messages.map(({ content }) => content), farm.said], {
    depth: 20,
    maxStringLength: null,
    maxArrayLength: null,
  });
  expect(secrets.filter((secret) => seen.includes(String(secret)))).toEqual([]);
});

it('what is written in Discord is one line of text in the game, by whoever wrote it, and orders nothing', async () => {
  await using stage = await botStage();
  await stage.open();
  const mallory = stage.discord.guild.addMember('mallory', { nick: 'Server\r\n\u202eRobin' });
  for (const text of hostile) stage.discord.people.say(mallory, text);
  const said = await stage.said(hostile.length);
  for (const line of said) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there.
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    expect(line.length).toBeLessThan(520);
    expect(line).toMatch(/^[^:]*\(Discord\): /);
  }
  expect(stage.farm.game.heard.filter((command) => command !== 'sendChat')).toEqual([]);
});
