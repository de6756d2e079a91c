import { expect, it } from 'vitest';
import { ChatStage, key } from './stage/chat-stage.ts';

it('sends nothing unasked, and lets a client in that sends the key', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.client();
  stage.say('nobody hears this');
  client.send({ type: 'auth', payload: { token: key } });
  expect(await client.next('auth_success')).toEqual({ type: 'auth_success' });
  stage.say('good morning');
  expect((await client.next('chat')).payload.message).toBe('good morning');
});

it.each([
  ['a wrong key', { type: 'auth', payload: { token: 'wrong' } }, 'The API key is wrong'],
  ['an empty key', { type: 'auth', payload: { token: '' } }, 'The API key is wrong'],
  ['no key', { type: 'auth' }, 'Authenticate first'],
  ['a key that is no text', { type: 'auth', payload: { token: 7 } }, 'Authenticate first'],
  ['a ping', { type: 'ping' }, 'Authenticate first'],
  ['chat', { type: 'chat_send', payload: { author: 'a', message: 'b' } }, 'Authenticate first'],
  ['a resume', { type: 'resume', payload: { cursor: 'e1-0' } }, 'Authenticate first'],
  ['an unknown type', { type: 'hello' }, 'Authenticate first'],
  ['text that is no JSON', 'auth k3y', 'Authenticate first'],
  [
    'a binary frame',
    Buffer.from(JSON.stringify({ type: 'auth', payload: { token: key } })),
    'Authenticate first',
  ],
])('refuses %s before authentication with auth_failed and 1008', async (_what, message, error) => {
  await using stage = await ChatStage.open();
  const client = await stage.client();
  client.send(message);
  client.send({ type: 'auth', payload: { token: key } });
  const failed = await client.next('auth_failed');
  expect(failed.payload.error).toContain(error);
  expect(JSON.stringify(failed)).not.toContain(key);
  expect((await client.closed).code).toBe(1008);
  expect(client.received).toHaveLength(1);
  expect(stage.commands).toEqual([]);
});

it('waits for auth to the last of the 10 seconds, and no longer', async () => {
  await using stage = await ChatStage.open();
  const [quick, slow] = [await stage.client(), await stage.client()];
  stage.clock.advance(9_999);
  quick.send({ type: 'auth', payload: { token: key } });
  await quick.next('auth_success');
  stage.clock.advance(1);
  expect((await slow.next('auth_failed')).payload.error).toContain('within 10 seconds');
  expect(await slow.closed).toEqual({ code: 1008, reason: 'Authentication timeout' });
  stage.clock.advance(20_000);
  await quick.rest();
});

it('asks for no key where there is none, and still answers auth', async () => {
  await using stage = await ChatStage.open({});
  const [silent, eager] = [await stage.client(), await stage.client()];
  await silent.rest();
  stage.clock.advance(10_000);
  for (const payload of [{ token: 'any' }, {}, undefined]) {
    eager.send({ type: 'auth', payload });
    await eager.next('auth_success');
  }
  stage.say('good morning');
  for (const client of [silent, eager])
    expect((await client.next('chat')).payload.message).toBe('good morning');
});

it('takes a right key twice, and a wrong one never', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  client.send({ type: 'auth', payload: { token: key } });
  await client.next('auth_success');
  client.send({ type: 'auth', payload: { token: 'wrong' } });
  await client.next('auth_failed');
  expect((await client.closed).code).toBe(1008);
});

it('lets the one that has waited longest give way when too many wait, so that nobody is locked out', async () => {
  await using stage = await ChatStage.open({ key, limits: { unauthenticated: 3 } });
  const waiting = [await stage.client(), await stage.client(), await stage.client()];
  const late = await stage.authenticated();
  expect((await waiting[0]?.closed)?.code).toBe(1013);
  expect(stage.relay.counts.closed['unauthenticated-limit']).toBe(1);
  await late.rest();
  const another = await stage.authenticated();
  await another.rest();
  expect(stage.relay.connections).toBe(4);
});
