import { inspect } from 'node:util';
import { answerWithoutEnd, posingServer } from '@steward/testing/hostile/posing-server';
import { describe, expect, it } from 'vitest';
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

const json = { 'content-type': 'application/json' };

/** What a farm says of a key that is good for everything. */
const whoami = JSON.stringify({ name: 'owner', scopes: ['admin'] });

const nothingOfUs = /<html|__proto__|\[\[\[/;

describe('a server that poses as the farm', () => {
  it('and sends elsewhere is not followed, and nobody there is told the key', async () => {
    await using other = await posingServer((_request, response) => response.writeHead(200, json).end(whoami));
    await using hostile = await posingServer((_request, response) =>
      response.writeHead(307, { location: `${other.url}/whoami` }).end(),
    );
    await using stage = await botStage();
    await stage.start({ STEWARD_URL: hostile.url });
    expect(await stage.logged(/the farm cannot be reached/)).toMatchObject({
      reason: expect.stringContaining('Redirected'),
    });
    expect(hostile.asked.length).toBeGreaterThan(0);
    expect(other.asked).toEqual([]);
  });

  it.each([
    ['nothing of Steward’s', '<html>nginx</html>', 'text/html'],
    ['JSON of another kind', '{"__proto__":{"x":1},"scopes":"chat"}', 'application/json'],
    ['no value at all', 'null', 'application/json'],
    ['nothing but beginnings', '['.repeat(100_000), 'application/json'],
  ])('and answers with %s is none, and the bot tries again', async (_what, body, type) => {
    await using hostile = await posingServer((_request, response) =>
      response.writeHead(200, { 'content-type': type }).end(body),
    );
    await using stage = await botStage();
    await stage.start({ STEWARD_URL: hostile.url });
    await stage.logged(/the farm cannot be reached/);
    expect(JSON.stringify(stage.lines)).not.toMatch(nothingOfUs);
    expect(stage.discord.channel.messages).toEqual([]);
  });

  it('and answers without end is read to its limit', async () => {
    const sent = Promise.withResolvers<number>();
    await using hostile = await posingServer(
      (_request, response) => void answerWithoutEnd(response, 'application/json').then(sent.resolve),
    );
    await using stage = await botStage();
    await stage.start({ STEWARD_URL: hostile.url });
    await stage.logged(/the farm cannot be reached/);
    expect(await sent.promise).toBeLessThan(128 * 1_048_576);
  });
});

describe('a server that poses as Discord', () => {
  it('and sends elsewhere is not followed, and nobody there is told what is asked', async () => {
    await using other = await posingServer((_request, response) => response.writeHead(200, json).end('{}'));
    await using hostile = await posingServer(({ url }, response) =>
      response.writeHead(307, { location: `${other.url}${url}` }).end(),
    );
    await using stage = await botStage();
    await stage.start({ DISCORD_API: hostile.url });
    await stage.logged(/Discord cannot be reached/);
    expect(other.asked).toEqual([]);
  });

  it.each([
    ['nothing of Discord’s', '<html>nginx</html>', 'text/html'],
    ['no value at all', 'null', 'application/json'],
    ['nothing but beginnings', '['.repeat(100_000), 'application/json'],
  ])('and answers with %s is asked again', async (_what, body, type) => {
    await using hostile = await posingServer((_request, response) =>
      response.writeHead(200, { 'content-type': type }).end(body),
    );
    await using stage = await botStage();
    await stage.start({ DISCORD_API: hostile.url });
    await stage.logged(/Discord cannot be reached/);
    expect(JSON.stringify(stage.lines)).not.toMatch(nothingOfUs);
    expect(stage.farm.said).toEqual([]);
  });

  it('and answers without end is read to its limit', async () => {
    const sent = Promise.withResolvers<number>();
    await using hostile = await posingServer(
      (_request, response) => void answerWithoutEnd(response, 'application/json').then(sent.resolve),
    );
    await using stage = await botStage();
    await stage.start({ DISCORD_API: hostile.url });
    await stage.logged(/Discord cannot be reached/);
    expect(await sent.promise).toBeLessThan(64 * 1_048_576);
  });
});
