import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { chatLimitsOf, chatVariables } from '../../../src/chat/limits.ts';
import { openApi, type StageOptions, testKey } from '../../api/stage/open-api.ts';
import { Client } from '../../chat/stage/client.ts';
import { hello, settled } from '../../game/stage/stage.ts';

/** What holds where an operator sets nothing. */
const defaultChatLimits = chatLimitsOf(readConfiguration(chatVariables, {}));

/** The whole app with a client of its chat. */
async function chatting(options: StageOptions = { key: testKey }) {
  const api = await openApi({ game: false, ...options });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const url = `ws://127.0.0.1:${port}/ws`;
  const client = await Client.open(url);
  return {
    app: api.app,
    bridge: api.bridge,
    clock: api.clock,
    mode: api.mode,
    client,
    url,
    metrics: async () => (await api.ask('GET', '/metrics')).body,
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** One that may hear and speak. */
async function authenticated(options: Omit<StageOptions, 'key'> = {}) {
  const stage = await chatting({ ...options, key: testKey });
  stage.client.send({ type: 'auth', payload: { token: testKey } });
  await stage.client.next('auth_success');
  return stage;
}

/** What another connection is told, for as long as nobody lets one in. */
async function refusal(url: string): Promise<number | undefined> {
  const socket = new WebSocket(url);
  socket.on('error', () => {});
  const [, answer] = await once(socket, 'unexpected-response');
  socket.terminate();
  return (answer as IncomingMessage).statusCode;
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

  async 'no `auth` in time: 1006'() {
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

  async 'messages that it does not understand are dropped'() {
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

  async 'chat lines of `chat_send` that are cut end in `...`'() {
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

  async 'a first message that is binary or no JSON ends in 1006, or in 1008 without a message'() {
    for (const said of ['no JSON', Buffer.from('{"type":"auth"}')]) {
      await using stage = await chatting();
      stage.client.send(said);
      await stage.client.next('auth_failed');
      expect((await stage.client.closed).code).toBe(1008);
    }
  },

  async 'a second `auth` is ignored, a wrong one too'() {
    await using stage = await authenticated();
    stage.client.send({ type: 'auth', payload: { token: testKey } });
    await stage.client.next('auth_success');
    stage.client.send({ type: 'auth', payload: { token: 'wrong' } });
    await stage.client.next('auth_failed');
    expect((await stage.client.closed).code).toBe(1008);
  },

  async 'a message of more than 16,384 characters is dropped'() {
    await using stage = await authenticated();
    const longest = JSON.stringify({ type: 'ping', filling: '' });
    stage.client.send(longest.replace('""', `"${'x'.repeat(16 * 1024 - longest.length)}"`));
    await stage.client.next('pong');
    // Fewer characters than that, and more bytes.
    stage.client.send({ type: 'ping', filling: 'é'.repeat(8 * 1024) });
    expect((await stage.client.closed).code).toBe(1009);
  },

  async 'any number of messages on `/ws`'() {
    await using stage = await authenticated();
    for (let sent = 0; sent < 20; sent += 1) stage.client.send({ type: 'ping' });
    for (let answered = 0; answered < 20; answered += 1) await stage.client.next('pong');
    stage.client.send({ type: 'ping' });
    await stage.client.next('error');
    stage.clock.advance(200);
    stage.client.send({ type: 'ping' });
    await stage.client.next('pong');
    for (let sent = 0; sent <= 200; sent += 1) stage.client.send({ type: 'ping' });
    expect((await stage.client.closed).code).toBe(1008);
  },

  async 'any number of connections to `/ws`'() {
    expect(defaultChatLimits).toMatchObject({
      connections: 5_000,
      connectionsPerAddress: 100,
      unauthenticated: 500,
    });
    await using narrow = await chatting({ key: testKey, chatLimits: { connectionsPerAddress: 1 } });
    expect(await refusal(narrow.url)).toBe(429);
    await using full = await chatting({ key: testKey, chatLimits: { connections: 1 } });
    expect(await refusal(full.url)).toBe(503);
    await using waiting = await chatting({ key: testKey, chatLimits: { unauthenticated: 1 } });
    await Client.open(waiting.url);
    expect((await waiting.client.closed).code).toBe(1013);
  },

  async 'a dead connection is kept'() {
    await using stage = await chatting();
    const silent = new WebSocket(stage.url, { autoPong: false });
    silent.on('error', () => {});
    await once(silent, 'open');
    silent.send(JSON.stringify({ type: 'auth', payload: { token: testKey } }));
    await once(silent, 'message');
    const [pinged, closed] = [once(silent, 'ping'), once(silent, 'close')];
    stage.clock.advance(30_000);
    await pinged;
    stage.clock.advance(30_000);
    await closed;
  },

  async 'a connection that does not read is kept'() {
    expect(defaultChatLimits.unreadBytes).toBe(1024 * 1024);
    await using stage = await authenticated();
    stage.client.socket.pause();
    const line = { playerId: '7', playerName: 'Ann', message: 'x'.repeat(64 * 1024) };
    // What the machine's own buffers hold is not unread yet.
    while (!/closed_total{reason="slow-reader"} 1/.test(await stage.metrics()))
      stage.bridge.events.append({ type: 'chat.said', data: line });
    stage.client.socket.resume();
    expect((await stage.client.closed).code).toBe(1013);
  },

  async 'a line that its game did not receive is dropped'() {
    await using stage = await authenticated();
    const line = { author: 'Bot', message: 'hello' };
    stage.client.send({ type: 'chat_send', payload: { ...line, id: '7' } });
    expect((await stage.client.next('chat_sent')).payload).toMatchObject({ id: '7' });
    stage.client.send({ type: 'chat_send', payload: line });
    await stage.client.next('error');
  },

  async 'a stop ends connections without a message'() {
    await using stage = await authenticated();
    const closed = stage.app.close();
    expect((await stage.client.closed).code).toBe(1012);
    await closed;
  },
};
