import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { openApi, type StageOptions, testKey } from '../../api/stage/open-api.ts';
import { hello, settled } from '../../bridge/stage/stage.ts';
import { Client } from '../../chat/stage/client.ts';

/** The whole app with a client of its chat. */
async function chatting(options: StageOptions = { key: testKey }) {
  const api = await openApi({ game: false, ...options });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const client = await Client.open(`ws://127.0.0.1:${port}/ws`);
  return {
    clock: api.clock,
    mode: api.mode,
    client,
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** What docs/migrating.md says of `/ws`, by the row's left side. */
export const chatDifferences: Readonly<Record<string, () => Promise<void>>> = {
  async '`auth_failed` with a top-level `error`'() {
    await using stage = await chatting();
    stage.client.send({ type: 'auth', payload: { token: 'wrong' } });
    const failed = await stage.client.next('auth_failed');
    expect(failed).not.toHaveProperty('error');
    expect(failed.payload.error).not.toBe('');
  },

  async 'the missed window ends in 1006'() {
    await using stage = await chatting();
    stage.clock.advance(10_000);
    await stage.client.next('auth_failed');
    expect((await stage.client.closed).code).toBe(1008);
  },

  async 'an `auth` without a key set is ignored'() {
    await using stage = await chatting({});
    stage.client.send({ type: 'auth', payload: { token: 'any' } });
    await stage.client.next('auth_success');
  },

  async 'what it does not understand vanishes'() {
    await using stage = await chatting();
    stage.client.send({ type: 'auth', payload: { token: testKey } });
    await stage.client.next('auth_success');
    for (const said of ['no JSON', '{"type":"dance"}', '{"type":"chat_send"}']) {
      stage.client.send(said);
      await stage.client.next('error');
    }
    stage.client.send({ type: 'ping' });
    await stage.client.next('pong');
  },

  async 'chat lines of `chat_send` end in `...` where they are cut'() {
    await using stage = await chatting();
    const game = stage.mode.connect();
    game.say({ ...hello, params: { ...hello.params, capabilities: ['sendChat'] } });
    await settled();
    game.heard();
    stage.client.send({ type: 'auth', payload: { token: testKey } });
    await stage.client.next('auth_success');
    stage.client.send({ type: 'chat_send', payload: { author: 'Bot', message: 'y'.repeat(3_000) } });
    let [line] = game.heard();
    while (line === undefined) {
      await once(game.input, 'data');
      [line] = game.heard();
    }
    expect(line).toMatchObject({
      params: { author: 'Bot', message: expect.stringMatching(/^y{100,2999}…$/) },
    });
  },
};
