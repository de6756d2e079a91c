import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { openApi } from '../api/stage/open-api.ts';
import { type GameEnd, hello, settled } from '../game/stage/stage.ts';
import { Client } from './stage/client.ts';

const capable = {
  ...hello,
  params: { ...hello.params, capabilities: ['sendChat'] },
};

async function nextLine(game: GameEnd): Promise<Record<string, unknown>> {
  for (;;) {
    const [line] = game.heard();
    if (line !== undefined) return line;
    await once(game.input, 'data');
  }
}

/** The whole app before the real bridge, with a game whose lines the test writes. */
async function stageWithGame() {
  const api = await openApi({ key: 'k3y', game: false });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const game = api.mode.connect();
  game.say(capable);
  await settled();
  game.heard();
  const client = await Client.open(`ws://127.0.0.1:${port}/ws`);
  client.send({ type: 'auth', payload: { token: 'k3y' } });
  await client.next('auth_success');
  return {
    app: api.app,
    clock: api.clock,
    game,
    mode: api.mode,
    client,
    says: (message: string) =>
      game.say({
        jsonrpc: '2.0',
        method: 'event',
        params: { event: { kind: 'chat', playerId: '5512', playerName: 'Abigail', message } },
      }),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

it('relays what the game tells, in its order, and never a command', async () => {
  await using stage = await stageWithGame();
  for (const text of ['one', ' !login hunter2', 'two']) stage.says(text);
  expect((await stage.client.next('chat')).payload).toMatchObject({ playerName: 'Abigail', message: 'one' });
  expect((await stage.client.next('chat')).payload.message).toBe('two');
});

it('refuses a line at once while the game is frozen, with the reason', async () => {
  await using stage = await stageWithGame();
  stage.clock.advance(5_000);
  stage.client.send({ type: 'chat_send', payload: { author: 'Robin', message: 'hello', id: '1' } });
  const { payload } = await stage.client.next('chat_sent');
  expect(payload).toMatchObject({ id: '1', status: 'refused', reason: expect.stringContaining('frozen') });
});

it('speaks in the game by a claimed command, and tells when the game has shown it', async () => {
  await using stage = await stageWithGame();
  stage.client.send({ type: 'chat_send', payload: { author: 'Robin', message: '!help', id: '1' } });
  const command = await nextLine(stage.game);
  const params = { author: 'Robin', message: '!help' };
  expect(command).toMatchObject({ method: 'sendChat', params });
  const { command: id } = command['params'] as { command: string };
  stage.game.say({ jsonrpc: '2.0', id: '2', method: 'claim', params: { command: id } });
  expect(await nextLine(stage.game)).toMatchObject({ id: '2', result: { granted: true } });
  const result = { outcome: 'applied', before: {}, after: {} };
  stage.game.say({ jsonrpc: '2.0', id: command['id'], result });
  expect((await stage.client.next('chat_sent')).payload).toEqual({ id: '1', status: 'delivered' });
});

it('refuses to speak while the game is away, keeps nothing for later, and relays again when it is back', async () => {
  await using stage = await stageWithGame();
  stage.game.cut();
  await settled();
  stage.client.send({ type: 'chat_send', payload: { author: 'Robin', message: 'hello', id: '1' } });
  expect((await stage.client.next('chat_sent')).payload).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining('no game is connected'),
  });
  const again = stage.mode.connect();
  again.say(capable);
  await nextLine(again);
  stage.client.send({ type: 'ping' });
  await stage.client.next('pong');
  expect(again.heard()).toEqual([]);
});

it('is exempt from the bearer check, and nothing else beside it is', async () => {
  await using stage = await stageWithGame();
  for (const path of ['/ws', '/api-spec/v1/async-api.json'])
    expect((await stage.app.inject(path)).statusCode).toBe(401);
  const headers = { authorization: 'Bearer k3y' };
  const plain = await stage.app.inject({ url: '/ws', headers });
  expect(plain.statusCode).toBe(426);
  expect(plain.headers['upgrade']).toBe('websocket');
  const document = (await stage.app.inject({ url: '/api-spec/v1/async-api.json', headers })).json();
  expect(document).toMatchObject({ asyncapi: '3.0.0', info: { title: 'Steward chat relay' } });
});
