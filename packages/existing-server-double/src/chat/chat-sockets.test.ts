import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { ExistingServer, type ExistingServerOptions } from '../existing-server.ts';
import { longestText } from './chat-sockets.ts';

async function running(options: ExistingServerOptions = {}) {
  const server = await ExistingServer.start(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const heard: unknown[] = [];
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/ws`);
  socket.on('message', (data) => heard.push(JSON.parse(String(data))));
  socket.on('error', () => {});
  await once(socket, 'open');
  const say = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  const answered = async () => {
    say({ type: 'ping' });
    await once(socket, 'message');
  };
  const closed = once(socket, 'close').then(([code, reason]) => [code, String(reason)]);
  return { server, socket, heard, say, answered, closed };
}

const auth = (token: string) => ({ type: 'auth', payload: { token } });

it('puts the reason of a refusal at the top, and closes', async () => {
  const { say, heard, closed } = await running({ key: 'k' });
  say(auth('wrong'));
  expect(await closed).toEqual([1008, 'Authentication failed']);
  expect(heard).toEqual([{ type: 'auth_failed', error: 'Invalid token' }]);
});

it('tears the connection down when nobody authenticates in time', async () => {
  const { closed, heard } = await running({ key: 'k', windowMs: 10 });
  expect(await closed).toEqual([1006, '']);
  expect(heard).toEqual([]);
});

it.each(['{', '"text"', '{"type":"auth","payload":3}'])('tears it down at %s', async (frame) => {
  const { say, closed } = await running({ key: 'k' });
  say(frame);
  expect((await closed)[0]).toBe(1006);
});

it('answers nothing to an auth that it did not ask for', async () => {
  const { say, answered, heard } = await running();
  say(auth('anything'));
  await answered();
  expect(heard).toEqual([{ type: 'pong' }]);
});

it('says nothing about what it does not take', async () => {
  const { server, say, answered, heard } = await running();
  for (const frame of ['{', { type: 'nonsense' }, { payload: {} }]) say(frame);
  say({ type: 'chat_send', payload: { author: 'Bot', message: '  ' } });
  say({ type: 'chat_send', payload: { author: 'Bot', message: 'x'.repeat(longestText) } });
  say({ type: 'chat_send', payload: { author: ' ', message: 'hi' } });
  await answered();
  expect(heard).toEqual([{ type: 'pong' }]);
  expect(server.farm.inGameChat).toEqual([]);
});

it('carries chat both ways, cleaned, never back to the sender, and no command', async () => {
  const { server, socket, say, answered, heard } = await running({ key: 'k' });
  say(auth('k'));
  await once(socket, 'message');
  say({ type: 'chat_send', payload: { author: 'A\tB', message: ' one\n  two ' } });
  await answered();
  expect(server.farm.inGameChat).toEqual(['(Web) AB: one two']);
  server.farm.say('Ann', '!login secret');
  server.farm.say('Ann', 'hello');
  await once(socket, 'message');
  expect(heard).toEqual([
    { type: 'auth_success' },
    { type: 'pong' },
    {
      type: 'chat',
      payload: { playerName: 'Ann', message: 'hello', timestamp: expect.stringMatching(/\.\d{7}Z$/) },
    },
  ]);
});

it('cuts long texts and says that it did', async () => {
  const { server, say, answered } = await running();
  say({ type: 'chat_send', payload: { author: 'a'.repeat(40), message: 'm'.repeat(500) } });
  await answered();
  expect(server.farm.inGameChat).toEqual([`(Web) ${'a'.repeat(32)}...: ${'m'.repeat(450)}...`]);
});

it('takes one message after the other: a ping behind a line waits for the game, or for the line to be dropped', async () => {
  const { server, say, answered, heard } = await running({ budgets: { chatMs: 50 } });
  server.farm.thread.freeze();
  const line = { type: 'chat_send', payload: { author: 'Bot', message: 'one' } };
  say(line);
  const pong = answered();
  while (server.farm.thread.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toEqual([]);
  await pong;
  expect(server.farm.inGameChat).toEqual([]);
  say({ ...line, payload: { ...line.payload, message: 'two' } });
  const second = answered();
  while (server.farm.thread.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  server.farm.thread.thaw();
  await second;
  expect(server.farm.inGameChat).toEqual(['(Web) Bot: two']);
});
