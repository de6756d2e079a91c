import { Program } from '@steward/testing/program';
import { expect, it } from 'vitest';
import { LibraryBot } from './library-bot.ts';

it('what is typed is said in the channel, and what the bot posts is shown', async () => {
  const input = 'hello\n/nothing\n';
  await using program = new Program('packages/discord-double/src/main.ts', [], {}, { input });
  const said = async (pattern: RegExp) => (await program.line(pattern))[1] ?? '';
  const discord = { api: await said(/API +(\S+)/), token: await said(/token +(\S+)/) };
  const channel = await said(/channel +(\d+)/);
  await said(/(owner is not offered \/nothing)/);
  await using bot = new LibraryBot(discord);
  expect(await bot.api.channels.getMessages(channel)).toMatchObject([{ content: 'hello' }]);
  await bot.api.channels.createMessage(channel, { content: 'hello to you' });
  expect(await said(/^Steward: (.*)/)).toBe('hello to you');
  program.kill('SIGTERM');
  expect(await program.exited).toEqual({ code: 0, signal: null });
});
