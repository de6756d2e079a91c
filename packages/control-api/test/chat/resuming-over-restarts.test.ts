import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { openApi } from '../api/stage/open-api.ts';
import { Client } from './stage/client.ts';

/** The service with a client of its chat, which has asked for what it missed. */
async function stage(directory: string, cursor?: string) {
  const api = await openApi({ directory, game: false });
  const { port } = await api.listen();
  const client = await Client.open(`ws://127.0.0.1:${port}/ws`);
  client.send({ type: 'resume', payload: cursor === undefined ? {} : { cursor } });
  const say = (message: string) =>
    api.bridge.events.append({ type: 'chat.said', data: { playerId: '5512', playerName: 'Ann', message } });
  return { client, say, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

it('goes on over a restart in order with nothing lost or doubled, and hears what is new behind it', async () => {
  using directory = temporaryDirectory();
  let cursor: string;
  {
    await using first = await stage(directory.path);
    cursor = (await first.client.next('resumed')).payload.cursor;
    first.say('one');
    first.say(' !login hunter2');
    first.say('two');
    await first.client.rest();
  }
  await using second = await stage(directory.path, cursor);
  expect((await second.client.next('resumed')).payload).toMatchObject({ missed: 2, gap: false });
  second.say('three');
  await second.client.next('chat');
  await second.client.next('chat');
  await second.client.next('chat');
  expect(second.client.texts).toEqual(['one', 'two', 'three']);
});
