import { Problem } from '@steward/shared/problems/problem';
import { scopeNames } from '@steward/shared/scopes';
import { expect, it } from 'vitest';
import { applied, ChatStage, key } from './stage/chat-stage.ts';

/** A key for each scope alone, by the scope's name. */
const keys = Object.fromEntries(scopeNames.map((scope) => [scope, [scope]]));

it('a read key hears the chat and may not speak, and is told why, with an id or without', async () => {
  await using stage = await ChatStage.open({ key, keys });
  const client = await stage.authenticated('read');
  const payload = { author: 'Robin', message: 'good morning' };
  client.send({ type: 'chat_send', payload });
  expect((await client.next('error')).payload).toEqual({
    code: 'insufficient-scope',
    message: 'chat_send needs a key with the scope chat; the key "friend read" has read',
  });
  client.send({ type: 'chat_send', payload: { ...payload, id: '1' } });
  expect((await client.next('chat_sent')).payload.reason).toContain('needs a key with the scope chat');
  stage.say('good morning');
  expect((await client.next('chat')).payload.message).toBe('good morning');
  expect(stage.commands).toEqual([]);
});

it('a key that may too little is no wrong key, however often it comes', async () => {
  await using stage = await ChatStage.open({ key, keys });
  for (let tried = 0; tried < 12; tried += 1) {
    const client = await stage.client();
    client.send({ type: 'auth', payload: { token: 'operate' } });
    expect((await client.next('auth_failed')).payload.error).toBe(
      'The chat needs a key with the scope read or chat; the key "friend operate" has operate',
    );
    expect(await client.closed).toEqual({ code: 1008, reason: 'Insufficient scope' });
  }
  expect(stage.relay.counts.closed['insufficient-scope']).toBe(12);
  expect(stage.relay.refuse('127.0.0.1', undefined)).toBeUndefined();
  expect(stage.relay.counts.refused['wrong-keys']).toBe(0);
});

it('goes by the key that came last: it may give a voice, and take it', async () => {
  await using stage = await ChatStage.open({ key, keys });
  stage.answer = async () => applied;
  const client = await stage.authenticated('read');
  const say = async () => {
    client.send({ type: 'chat_send', payload: { author: 'Robin', message: 'good morning', id: '1' } });
    return (await client.next('chat_sent')).payload.status;
  };
  expect(await say()).toBe('refused');
  for (const [token, status] of [
    ['chat', 'delivered'],
    ['read', 'refused'],
  ]) {
    client.send({ type: 'auth', payload: { token } });
    await client.next('auth_success');
    expect(await say()).toBe(status);
  }
  stage.keys.end('chat');
  await client.rest();
  client.send({ type: 'auth', payload: { token: 'operate' } });
  await client.next('auth_failed');
  expect((await client.closed).code).toBe(1008);
});

it('closes what a key holds open when it ends, with 4001, and nobody else', async () => {
  await using stage = await ChatStage.open({ key, keys });
  const ended = [await stage.authenticated('read'), await stage.authenticated('read')];
  const others = [await stage.authenticated('chat'), await stage.authenticated()];
  stage.keys.end('read');
  for (const client of ended)
    expect(await client.closed).toEqual({ code: 4001, reason: 'The key has ended' });
  expect(stage.relay.counts.closed['key-ended']).toBe(2);
  for (const client of others) await client.rest();
  expect(stage.relay.listeners).toBe(2);
  const again = await stage.client();
  again.send({ type: 'auth', payload: { token: 'read' } });
  expect((await again.next('auth_failed')).payload.error).toBe('The API key is wrong');
  await stage.close();
  expect(stage.keys.listeners).toBe(0);
});

it('tells a key that has ended so when it comes again, with 4001: there is no use in coming back with it', async () => {
  await using stage = await ChatStage.open({ key, keys });
  stage.keys.refusalOf = () => new Problem('key-ended', 'The key "friend read" is revoked');
  for (let tried = 0; tried < 12; tried += 1) {
    const client = await stage.client();
    client.send({ type: 'auth', payload: { token: 'ended' } });
    expect((await client.next('auth_failed')).payload.error).toBe('The key "friend read" is revoked');
    expect(await client.closed).toEqual({ code: 4001, reason: 'The key has ended' });
  }
  expect(stage.relay.refuse('127.0.0.1', undefined)).toBeUndefined();
});

it('a line that is on its way to the game when its key ends gets there', async () => {
  await using stage = await ChatStage.open({ key, keys });
  const taken = Promise.withResolvers<void>();
  stage.answer = async () => {
    await taken.promise;
    return applied;
  };
  const client = await stage.authenticated('chat');
  client.send({ type: 'chat_send', payload: { author: 'Robin', message: 'good morning', id: '1' } });
  await client.rest();
  stage.keys.end('chat');
  expect((await client.closed).code).toBe(4001);
  taken.resolve();
  await expect.poll(() => stage.relay.counts.sent.delivered).toBe(1);
});

it('a key of which it is unknown whose it is counts as no wrong one, and may come again', async () => {
  await using stage = await ChatStage.open({ key, keys });
  stage.keys.refusalOf = () => new Problem('state-unreadable', 'The key cannot be checked');
  for (let tried = 0; tried < 12; tried += 1) {
    const client = await stage.client();
    client.send({ type: 'auth', payload: { token: 'unknown' } });
    expect((await client.next('auth_failed')).payload.error).toBe('The key cannot be checked');
    expect((await client.closed).code).toBe(1013);
  }
  expect(stage.relay.counts.closed['keys-unreadable']).toBe(12);
  expect(stage.relay.refuse('127.0.0.1', undefined)).toBeUndefined();
});
