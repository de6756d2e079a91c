import { anyText } from '@steward/testing/hostile/text';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CommandResult, Operation } from '../../src/game/operations/operation.ts';
import { away, ChatStage, key } from './stage/chat-stage.ts';

function operation(rest: Pick<Operation, 'state'> & Partial<Operation>): CommandResult {
  const at = '2026-11-21T06:30:00.000Z';
  const fixed = { id: '1', command: 'sendChat', createdAt: at, changedAt: at, fingerprint: 'f' } as const;
  return { kind: 'operation', operation: { ...fixed, ...rest } };
}

const applied = operation({ state: 'applied', outcome: { outcome: 'applied', before: {}, after: {} } });
const hello = { author: 'Robin', message: 'hello' };

it.each([
  ['delivered', undefined, applied],
  ['refused', 'no game is connected', away],
  ['refused', 'cannot show chat', { kind: 'unsupported', command: 'sendChat' } satisfies CommandResult],
  [
    'refused',
    'the game is saving',
    operation({
      state: 'refused',
      outcome: { outcome: 'refused', code: 'saving', message: 'the game is saving' },
    }),
  ],
  ['refused', 'did not claim', operation({ state: 'void', why: 'the game did not claim it' })],
  ['unknown', 'has not said', operation({ state: 'unknown' })],
])('receipts: %s (%s)', async (status, reason, result) => {
  await using stage = await ChatStage.open();
  stage.answer = async () => result;
  const client = await stage.authenticated();
  client.send({ type: 'chat_send', payload: { ...hello, id: 'm-1' } });
  const { payload } = await client.next('chat_sent');
  expect(payload).toMatchObject({ id: 'm-1', status });
  if (reason === undefined) expect(payload).not.toHaveProperty('reason');
  else expect(payload.reason).toContain(reason);

  client.send({ type: 'chat_send', payload: hello });
  if (status === 'delivered') await client.rest();
  else expect((await client.next('error')).payload.code).toBe(`chat-${status}`);
  expect(stage.commands).toHaveLength(2);
});

it('hands the game clean text under its author, in the order in which it was sent, and echoes nothing', async () => {
  await using stage = await ChatStage.open();
  stage.answer = async () => applied;
  const [sender, other] = [await stage.authenticated(), await stage.authenticated()];
  const longAuthor = '🌾'.repeat(40);
  for (const payload of [
    { author: ' Ro\u0000bin\n', message: 'one\r\ntwo' },
    { author: '\u0007', message: 'x'.repeat(500) },
    { author: longAuthor, message: '!ban everybody' },
    { author: 'Robin', message: '/kick everybody' },
  ])
    sender.send({ type: 'chat_send', payload: { ...payload, id: payload.message.slice(0, 9) } });
  await sender.rest();
  await other.rest();
  expect(stage.commands).toEqual([
    { name: 'sendChat', params: { author: 'Robin', message: 'one two' } },
    { name: 'sendChat', params: { author: 'Anonymous', message: `${'x'.repeat(449)}…` } },
    { name: 'sendChat', params: { author: `${'🌾'.repeat(31)}…`, message: '!ban everybody' } },
    { name: 'sendChat', params: { author: 'Robin', message: '/kick everybody' } },
  ]);
  expect([...sender.texts, ...other.texts]).toEqual([]);
});

it('refuses what is empty once it is clean, without troubling the game', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  client.send({ type: 'chat_send', payload: { author: 'Robin', message: ' \n\u0000 ', id: '1' } });
  expect((await client.next('chat_sent')).payload).toMatchObject({ status: 'refused' });
  expect(stage.commands).toEqual([]);
});

it.each([
  ['message', { author: 'Robin', message: '\u200b' }],
  ['message', { author: 'Robin', message: ' \u2060 \ufeff\ufe0f ' }],
  ['message', { author: 'Robin', message: '\u200b'.repeat(500) }],
  ['message', { author: '', message: '\u3164' }],
  ['author', { author: '\u200b', message: 'hello' }],
  ['author', { author: '\u3164 \u2800', message: 'hello' }],
])('refuses a %s that shows nothing: %j', async (what, payload) => {
  await using stage = await ChatStage.open();
  stage.answer = async () => applied;
  const client = await stage.authenticated();
  client.send({ type: 'chat_send', payload: { ...payload, id: '1' } });
  const { payload: receipt } = await client.next('chat_sent');
  expect(receipt).toMatchObject({ status: 'refused', reason: expect.stringMatching(new RegExp(what)) });
  expect(stage.commands).toEqual([]);
});

it.each([
  ['delivered', applied],
  ['unknown', operation({ state: 'unknown' })],
])('says with %s that what was shown is cut, and how much of it there was', async (status, result) => {
  await using stage = await ChatStage.open();
  stage.answer = async () => result;
  const client = await stage.authenticated();
  const unseen = '\u200b'.repeat(500);
  const said = [`${unseen}${'x'.repeat(450)}`, 'x'.repeat(451), '👩‍🌾'.repeat(200)];
  for (const message of said) client.send({ type: 'chat_send', payload: { ...hello, message, id: '1' } });
  const receipts = [];
  for (const _ of said) receipts.push((await client.next('chat_sent')).payload);
  expect(receipts[0]).not.toHaveProperty('truncated');
  expect(receipts[0]).not.toHaveProperty('length');
  expect(receipts[1]).toMatchObject({ status, truncated: true, length: 450 });
  expect(receipts[2]).toMatchObject({ status, truncated: true, length: 448 });
  const shown = stage.commands.map(({ params }) => ('message' in params ? params.message : undefined));
  expect(shown).toEqual(['x'.repeat(450), `${'x'.repeat(449)}…`, `${'👩‍🌾'.repeat(149)}…`]);
});

it('says nothing of a cut where nothing was shown', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  client.send({ type: 'chat_send', payload: { ...hello, message: 'x'.repeat(451), id: '1' } });
  const { payload } = await client.next('chat_sent');
  expect(payload.status).toBe('refused');
  expect(payload).not.toHaveProperty('truncated');
});

it('leaves room for other commands while the game is slow', async () => {
  await using stage = await ChatStage.open({ key, limits: { sendsInHand: 2 } });
  const waiting: ((result: CommandResult) => void)[] = [];
  stage.answer = () => new Promise((resolve) => waiting.push(resolve));
  const client = await stage.authenticated();
  for (const id of ['1', '2', '3']) client.send({ type: 'chat_send', payload: { ...hello, id } });
  expect((await client.next('chat_sent')).payload).toMatchObject({ id: '3', status: 'refused' });
  for (const resolve of waiting) resolve(applied);
  expect((await client.next('chat_sent')).payload).toMatchObject({ id: '1', status: 'delivered' });
  expect((await client.next('chat_sent')).payload).toMatchObject({ id: '2', status: 'delivered' });
});

it('survives a client that leaves before its receipt comes', async () => {
  await using stage = await ChatStage.open();
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  const taken = Promise.withResolvers<void>();
  stage.answer = () => {
    taken.resolve();
    return promise;
  };
  const client = await stage.authenticated();
  client.send({ type: 'chat_send', payload: { ...hello, id: '1' } });
  await taken.promise;
  client.close();
  await client.closed;
  resolve(applied);
  await (await stage.authenticated()).rest();
  expect(stage.relay.counts.sent.delivered).toBe(1);
});

it('gives the game text that its protocol takes, whatever a client sends', async () => {
  await using stage = await ChatStage.open({ limits: { messagesPerSecond: 100_000 } });
  stage.answer = async () => applied;
  const client = await stage.client();
  const text = anyText({ maxLength: 600 });
  await fc.assert(
    fc.asyncProperty(text, text, async (author, message) => {
      const before = stage.commands.length;
      client.send({ type: 'chat_send', payload: { author, message, id: 'i' } });
      const { payload } = await client.next('chat_sent');
      const sent = stage.commands.slice(before);
      expect(sent).toHaveLength(payload.status === 'delivered' ? 1 : 0);
      for (const { name, params } of sent) {
        expect(name).toBe('sendChat');
        if (!('author' in params)) throw new Error('no author');
        expect(params.author.length).toBeLessThanOrEqual(64);
        expect(params.message.length).toBeLessThanOrEqual(1_000);
        expect(`${params.author}${params.message}`).not.toMatch(/[\p{Cc}\u2028]/u);
      }
    }),
  );
});
