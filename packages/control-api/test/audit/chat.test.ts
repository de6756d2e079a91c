import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { openApi, testKey } from '../api/stage/open-api.ts';
import { applied, ChatStage } from '../chat/stage/chat-stage.ts';
import { Client } from '../chat/stage/client.ts';
import { linesOf } from './stage/lines.ts';

const said = { author: 'Robin', message: 'good morning', id: '1' };

it('a line of the chat is told with its author and key, and never with what was said', async () => {
  await using api = await openApi({ key: testKey });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const made = await api.ask('POST', '/keys?name=bot&scopes=chat');
  const client = await Client.open(`ws://127.0.0.1:${port}/ws`);
  client.send({ type: 'auth', payload: { token: String(made.exact['secret']) } });
  await client.next('auth_success');
  client.send({ type: 'chat_send', payload: said });
  expect((await client.next('chat_sent')).payload.status).toBe('delivered');
  expect(await linesOf(api, 'action=sendChat')).toEqual([
    {
      number: expect.any(Number),
      at: '2026-11-21T00:00:00.000Z',
      actor: 'bot',
      keyId: (made.exact['key'] as { id: string }).id,
      address: '127.0.0.1',
      door: 'ws',
      action: 'sendChat',
      says: 'line written in the game',
      parameters: { author: 'Robin' },
      outcome: 'applied',
      operationId: expect.any(String),
    },
  ]);
});

it('the receipt waits for that line; what others say, and what is said meanwhile, waits for nothing', async () => {
  await using stage = await ChatStage.open();
  stage.answer = async () => applied;
  const { promise: kept, resolve: keep } = Promise.withResolvers<void>();
  stage.record = () => kept;
  const speaker = await stage.authenticated();
  const listener = await stage.authenticated();
  speaker.send({ type: 'chat_send', payload: said });
  speaker.send({ type: 'chat_send', payload: { ...said, id: '2' } });
  await speaker.rest();
  expect(stage.commands).toHaveLength(2);
  stage.say('hello from the game');
  expect((await listener.next('chat')).payload.message).toBe('hello from the game');
  expect((await speaker.next('chat')).payload.message).toBe('hello from the game');
  keep();
  expect((await speaker.next('chat_sent')).payload).toMatchObject({ id: '1', status: 'delivered' });
  expect((await speaker.next('chat_sent')).payload).toMatchObject({ id: '2', status: 'delivered' });
});

it('a line that is not sent is told, too', async () => {
  await using api = await openApi({ game: false });
  const { port } = await api.listen();
  const client = await Client.open(`ws://127.0.0.1:${port}/ws`);
  client.send({ type: 'chat_send', payload: said });
  await client.next('chat_sent');
  expect(await linesOf(api)).toMatchObject([{ actor: 'open', action: 'sendChat', outcome: 'refused' }]);
});
