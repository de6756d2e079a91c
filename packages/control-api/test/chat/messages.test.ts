import { expect, it } from 'vitest';
import { ChatStage } from './stage/chat-stage.ts';

it.each([
  ['no JSON', '{"type":', 'malformed-message'],
  ['no object', '[]', 'malformed-message'],
  ['no type', '{}', 'malformed-message'],
  ['a payload that is no object', '{"type":"ping","payload":[]}', 'malformed-message'],
  ['a missing member', '{"type":"chat_send","payload":{"author":"a"}}', 'malformed-message'],
  ['binary', Buffer.from('{"type":"ping"}'), 'malformed-message'],
  ['an unknown type', '{"type":"chat"}', 'unknown-type'],
  ['a cursor that is none', '{"type":"resume","payload":{"cursor":"yesterday"}}', 'malformed-cursor'],
])('answers %s with an error, and stays open', async (_what, message, code) => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  client.send(message);
  expect((await client.next('error')).payload.code).toBe(code);
  await client.rest();
});

it.each([
  ['a missing member', { type: 'chat_send', payload: { author: 'a', id: 'm-1' } }, 'malformed-message'],
  ['an unknown type', { type: 'chat', payload: { id: 'm-1' } }, 'unknown-type'],
  [
    'a cursor that is none',
    { type: 'resume', payload: { cursor: 'yesterday', id: 'm-1' } },
    'malformed-cursor',
  ],
])('the error about %s carries the id of the message', async (_what, message, code) => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  client.send(message);
  expect((await client.next('error')).payload).toMatchObject({ code, id: 'm-1' });
});

it.each([7, '', 'x'.repeat(65), null, undefined])('an error carries no id like %j', async (id) => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  client.send({ type: 'chat_send', payload: { author: 'a', id } });
  expect((await client.next('error')).payload).not.toHaveProperty('id');
});

it('takes null for what is not there', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  client.send({ type: 'ping', payload: null });
  await client.next('pong');
  client.send({ type: 'chat_send', payload: { author: 'a', message: 'b', id: null } });
  expect((await client.next('error')).payload.code).toBe('chat-refused');
  client.send({ type: 'resume', payload: null });
  await client.next('resumed');
  const other = await stage.authenticated();
  other.send({ type: 'resume', payload: { cursor: null } });
  await other.next('resumed');
  other.send({ type: 'auth', payload: null });
  expect((await other.next('error')).payload.code).toBe('malformed-message');
});

it('answers ping with pong', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  client.send({ type: 'ping' });
  expect(await client.next('pong')).toEqual({ type: 'pong' });
});

it('tells everybody what was said in the game, in its order, with name, time and place', async () => {
  await using stage = await ChatStage.open();
  const clients = [await stage.authenticated(), await stage.authenticated()];
  const said = ['one', 'two', '"three" 🌾 привет', 'x'.repeat(200), 'y'.repeat(70_000)];
  for (const message of said) stage.say(message);
  for (const client of clients) {
    const { payload } = await client.next('chat');
    expect(payload).toEqual({
      playerName: 'Abigail',
      message: 'one',
      timestamp: stage.clock.date().toISOString(),
      cursor: 'e1-1',
    });
    await client.rest();
    expect(client.texts).toEqual(said);
  }
});

it.each([
  ...['!login hunter2', '  !login hunter2', '\t!x', '\u00a0!x', '\ufeff!x', '!', '   '],
  ...['\u200b!login hunter2', ' \u2060 !x', '\u200b\u3164'],
])('keeps %j in the game, now and for those who resume', async (secret) => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  const before = stage.events.head;
  stage.say(secret);
  stage.events.append({ type: 'game.lost', data: { reason: 'not for clients either' } });
  stage.say('hello !everybody');
  expect((await client.next('chat')).payload.message).toBe('hello !everybody');
  const late = await stage.authenticated();
  late.send({ type: 'resume', payload: { cursor: before } });
  expect((await late.next('resumed')).payload).toMatchObject({ missed: 1, gap: false });
  expect((await late.next('chat')).payload.message).toBe('hello !everybody');
});

it('gives a player without a name one, for bots drop chat without', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  for (const name of [' ', '\u200b\u2060']) {
    stage.say('who am I?', name);
    expect((await client.next('chat')).payload.playerName).toBe('Unknown');
  }
});

it('closes with 1009 on more than 16 KiB, and takes exactly 16 KiB', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  const empty = JSON.stringify({ type: 'ping', payload: { filler: '' } }).length;
  client.send({ type: 'ping', payload: { filler: 'x'.repeat(16_384 - empty) } });
  await client.next('pong');
  client.send({ type: 'ping', payload: { filler: 'x'.repeat(16_385 - empty) } });
  expect((await client.closed).code).toBe(1009);
  expect(stage.relay.counts.closed['too-big']).toBe(1);
});

it('says goodbye with 1012 when it stops, whatever state a client is in', async () => {
  const stage = await ChatStage.open();
  const clients = [await stage.authenticated(), await stage.client()];
  const stopped = stage.close();
  for (const client of clients) expect((await client.closed).code).toBe(1012);
  await stopped;
});
