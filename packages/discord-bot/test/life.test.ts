import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { botStage } from './stage/bot-stage.ts';

describe('what only an operator can fix ends a bot that runs, with a line that is true', () => {
  it('the token was reset', async () => {
    await using stage = await botStage();
    const bot = await stage.open();
    stage.discord.application.resetToken();
    stage.discord.gateway.close(4_004);
    await expect(bot.ended).rejects.toThrow(/does not accept DISCORD_TOKEN/);
  });

  it('the key was revoked', async () => {
    await using stage = await botStage();
    const { farm } = stage.farm;
    const { secret } = await farm.createKey({ name: 'bot', scopes: 'read,chat' });
    const bot = await stage.start({ STEWARD_KEY: secret });
    await stage.logged(/session with Discord has begun/);
    await farm.revokeKey({ name: 'bot' });
    await expect(bot.ended).rejects.toThrow(/^the farm no longer accepts STEWARD_KEY/);
  });

  it('the place in the events is none', async () => {
    await using stage = await botStage();
    const bot = await stage.open();
    await bot.stop();
    await placed(stage.places, '!');
    await expect((await stage.start()).ended).rejects.toThrow(/^(?!.*STEWARD_KEY).*must be a cursor/);
  });
});

it('a farm whose events are others now is heard, and that some are lost is told', async () => {
  await using stage = await botStage();
  const bot = await stage.open();
  await bot.stop();
  await placed(stage.places, 'zzzzz-42');
  await stage.open(2);
  stage.farm.say('hello');
  expect(await stage.contains('hello')).toEqual([expect.stringMatching(/not recorded/), 'hello']);
});

it('Discord that is away at the start is waited for', async () => {
  await using stage = await botStage();
  stage.discord.faults.add('GET /users/@me', { before: 'reset' });
  stage.discord.faults.add('GET /gateway/bot', { before: 502 });
  stage.discord.gateway.faults.connections = 'reset';
  stage.discord.gateway.faults.refusals = 2;
  await stage.start();
  await stage.logged(/session with Discord has begun/);
  stage.discord.people.say(stage.ann, 'hi');
  expect(await stage.said(1)).toEqual(['Ann (Discord): hi']);
});

it('a server that Discord cannot reach for a while does not end the bot', async () => {
  await using stage = await botStage();
  await stage.open();
  stage.discord.gateway.tellOfLostGuild();
  stage.discord.people.say(stage.ann, 'hi');
  expect(await stage.said(1)).toEqual(['Ann (Discord): hi']);
});

it('a farm that does not answer does not keep the bot from ending', async () => {
  await using stage = await botStage();
  const bot = await stage.open();
  await stage.farm.stop();
  await stage.logged(/the farm sends no events/);
  await expect(bot.stop()).resolves.toBeUndefined();
});

it('a farm that is away for long is told of once for each reason', async () => {
  await using stage = await botStage();
  const bot = await stage.open();
  const reasons = () =>
    stage.lines.flatMap(({ message, reason }) => (/the farm sends no events/.test(message) ? [reason] : []));
  await stage.farm.stop();
  // A proxy that stays hangs up on each.
  const { promise: thirdTime, resolve } = Promise.withResolvers<void>();
  let times = 0;
  const proxy = createServer(({ url = '', socket }) => {
    if (url.startsWith('/events/stream')) times += 1;
    if (times === 3) resolve();
    socket.destroy();
  });
  proxy.on('upgrade', (_request, socket) => socket.destroy());
  await once(proxy.listen(Number(new URL(stage.farm.url).port), '127.0.0.1'), 'listening');
  await thirdTime;
  proxy.close();
  await once(proxy, 'close');
  const told = reasons();
  expect(told.length).toBeGreaterThan(0);
  expect(told).toEqual([...new Set(told)]);
  await bot.stop();
});

async function placed(path: string, farm: string): Promise<void> {
  const places = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...places, farm }));
}

it.each(['shared', 'global', 'user'] as const)(
  'a post that Discord puts off waits, and is one: %s',
  async (scope) => {
    await using stage = await botStage();
    await stage.open();
    const route = 'POST /webhooks/:webhookId/:token';
    stage.discord.faults.add(route, { rateLimited: { retryAfterMs: 500, scope } }, { times: 2 });
    stage.farm.say('one');
    stage.farm.say('two', 'Bo');
    expect(await stage.shown(2)).toEqual(['Robin: one', 'Bo: two']);
  },
);
