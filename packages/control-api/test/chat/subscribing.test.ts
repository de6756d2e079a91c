import type { StewardEvent } from '@steward/shared/events/event-data';
import { topicNames } from '@steward/shared/events/event-types';
import { expect, it, vi } from 'vitest';
import type { KeptEventLog } from '../../src/store/kept/event-log.ts';
import { nothingKept } from '../../src/store/kept/past-events.ts';
import { ChatStage, key } from './stage/chat-stage.ts';
import type { Client } from './stage/client.ts';

const joined: StewardEvent = {
  type: 'players.joined',
  data: { playerId: '620826087702429092', playerName: 'Ann', door: 'network-p2p', connectionId: 'GN_1' },
};

function day(number: number): StewardEvent {
  return { type: 'farm.dayStarted', data: { day: number, season: 'spring', year: 1 } };
}

const keys = { reader: ['read'], listener: ['chat'], moderator: ['read', 'moderate'] } as const;

function subscribe(client: Client, topics: readonly string[], more: object = {}): void {
  client.send({ type: 'subscribe', payload: { topics, ...more } });
}

/** What came of the chat and of what happens, in short. */
function heardBy({ received }: Client): string[] {
  return received.flatMap((message) => {
    if (message.type === 'chat') return [message.payload.message];
    if (message.type !== 'event') return [];
    const { type, data } = message.payload;
    return ['day' in data ? `${type} ${data.day}` : type];
  });
}

it('tells who never subscribes nothing but the chat', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  stage.events.append(joined);
  stage.say('good morning');
  stage.events.append(day(1));
  await client.rest();
  expect(client.received.map(({ type }) => type)).toEqual(['auth_success', 'chat', 'pong']);
});

it('tells of what is subscribed to from then on, in order with the chat, which comes once and as it always did', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  stage.events.append(day(1));
  subscribe(client, ['farm', 'chat', 'players', 'farm'], { id: 'one' });
  const { payload } = await client.next('subscribed');
  expect(payload).toEqual({
    topics: ['chat', 'players', 'farm'],
    cursor: 'e1-1',
    missed: 0,
    gap: false,
    id: 'one',
  });
  stage.say('good morning');
  stage.events.append(joined);
  stage.say('!login hunter2');
  stage.events.append({ type: 'server.stopping', data: {} });
  stage.events.append(day(2));
  await client.rest();
  expect(heardBy(client)).toEqual(['good morning', 'players.joined', 'farm.dayStarted 2']);
  expect(client.received.find(({ type }) => type === 'event')).toEqual({
    type: 'event',
    payload: {
      type: 'players.joined',
      at: stage.clock.date().toISOString(),
      cursor: 'e1-3',
      data: {
        playerId: 620826087702429092n,
        playerIdStr: '620826087702429092',
        playerName: 'Ann',
        door: 'network-p2p',
        connectionId: 'GN_1',
      },
    },
  });
});

it('leaves off what is named, or all but the chat', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  subscribe(client, ['farm', 'players', 'game']);
  client.send({ type: 'unsubscribe', payload: { topics: ['players', 'chat'], id: 'two' } });
  stage.events.append(joined);
  await client.next('subscribed');
  expect((await client.next('unsubscribed')).payload).toEqual({
    topics: ['chat', 'farm', 'game'],
    id: 'two',
  });
  client.send({ type: 'unsubscribe' });
  expect((await client.next('unsubscribed')).payload).toEqual({ topics: ['chat'] });
  stage.events.append(day(1));
  stage.say('good morning');
  await client.rest();
  expect(heardBy(client)).toEqual(['good morning']);
});

it('tells what was missed of all that is heard, in order, before anything new', async () => {
  await using stage = await ChatStage.open();
  stage.events.append(day(1));
  stage.events.append(day(2));
  stage.say('good morning');
  stage.events.append(joined);
  const client = await stage.authenticated();
  subscribe(client, ['farm'], { cursor: 'e1-1' });
  const { payload } = await client.next('subscribed');
  expect(payload).toMatchObject({ topics: ['chat', 'farm'], cursor: 'e1-4', missed: 2, gap: false });
  stage.events.append(day(3));
  await client.rest();
  expect(heardBy(client)).toEqual(['farm.dayStarted 2', 'good morning', 'farm.dayStarted 3']);
});

it('tells nothing twice that was heard live, however late a subscription catches up', async () => {
  await using stage = await ChatStage.open();
  stage.say('before');
  const client = await stage.authenticated();
  stage.say('live');
  subscribe(client, ['farm']);
  await client.next('chat');
  await client.next('subscribed');
  stage.events.append(day(1));
  stage.events.append(joined);
  await client.next('event');
  subscribe(client, ['players', 'farm'], { cursor: 'e1-0' });
  expect((await client.next('subscribed')).payload).toMatchObject({ missed: 2, cursor: 'e1-4' });
  await client.rest();
  expect(heardBy(client)).toEqual(['live', 'farm.dayStarted 1', 'before', 'players.joined']);
});

it.each([
  [{ type: 'resume' }, 'resumed'],
  [{ type: 'subscribe', payload: { topics: ['farm'], cursor: 'e1-0' } }, 'subscribed'],
] as const)('catches up once a connection: after %j no other does', async (first, answer) => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  client.send(first);
  await client.next(answer);
  for (const again of [
    { type: 'resume', payload: { cursor: 'e1-0' } },
    { type: 'subscribe', payload: { topics: ['game'], cursor: 'e1-0', id: 'x' } },
  ]) {
    client.send(again);
    expect((await client.next('error')).payload.code).toBe('already-resumed');
  }
  // Beside that, as often as anybody likes.
  subscribe(client, ['players']);
  expect((await client.next('subscribed')).payload.topics).not.toContain('game');
});

it('says what is wrong with a subscription, and changes nothing', async () => {
  await using stage = await ChatStage.open({ key, keys });
  const client = await stage.authenticated('listener');
  const refused = async (topics: readonly string[], more?: object) => {
    subscribe(client, topics, more);
    return (await client.next('error')).payload;
  };
  expect(await refused(['chat', 'weather'], { id: '1' })).toEqual({
    code: 'unknown-topic',
    message: `There is no topic "weather"; the topics are ${topicNames.join(', ')}`,
    id: '1',
  });
  expect(await refused(['constructor'])).toMatchObject({ code: 'unknown-topic' });
  expect(await refused(['chat', 'players'])).toEqual({
    code: 'insufficient-scope',
    message: 'The topic players needs a key with the scope read; the key "friend listener" has chat',
  });
  expect(stage.refused).toHaveLength(1);
  expect(await refused([])).toMatchObject({ code: 'malformed-message' });
  expect(await refused(['chat'], { cursor: 'yesterday' })).toMatchObject({ code: 'malformed-cursor' });
  client.send({ type: 'unsubscribe', payload: { topics: ['weather'] } });
  expect((await client.next('error')).payload.code).toBe('unknown-topic');
  subscribe(client, ['chat'], { cursor: 'e1-0' });
  expect((await client.next('subscribed')).payload.topics).toEqual(['chat']);
});

it('goes by the key that came last: what it may hear, and with identities or without', async () => {
  await using stage = await ChatStage.open({ key, keys });
  const client = await stage.authenticated('moderator');
  subscribe(client, ['players', 'farm']);
  await client.next('subscribed');
  const seen = async () => {
    stage.events.append(joined);
    const { payload } = await client.next('event');
    return 'connectionId' in payload.data;
  };
  const send = async (token: string) => {
    client.send({ type: 'auth', payload: { token } });
    await client.next('auth_success');
  };
  expect(await seen()).toBe(true);
  await send('reader');
  expect(await seen()).toBe(false);
  await send('moderator');
  expect(await seen()).toBe(true);
  await send('listener');
  expect((await client.next('unsubscribed')).payload).toEqual({ topics: ['chat'] });
  stage.events.append(joined);
  await send('moderator');
  stage.events.append(joined);
  stage.say('good morning');
  await client.next('chat');
});

it('tells the missed before anything new also where it has to be looked for first, of what is still heard then', async () => {
  await using stage = await ChatStage.open({ log: { events: 3, bytes: 1_000_000 }, key, keys });
  const found = Promise.withResolvers<void>();
  const after = stage.events.after.bind(stage.events);
  vi.spyOn(stage.events, 'after').mockImplementation(async (cursor) => {
    const reading = await after(cursor);
    await found.promise;
    return reading;
  });
  for (const number of [1, 2]) stage.events.append(day(number));
  stage.events.append(joined);
  stage.say('good morning');
  const client = await stage.authenticated('moderator');
  subscribe(client, ['farm', 'players', 'game'], { cursor: 'e1-0' });
  await client.rest();
  stage.events.append(day(3));
  subscribe(client, ['server']);
  client.send({ type: 'unsubscribe', payload: { topics: ['farm'] } });
  client.send({ type: 'auth', payload: { token: 'reader' } });
  await client.next('auth_success');
  found.resolve();
  const { payload } = await client.next('subscribed');
  expect(payload).toMatchObject({ missed: 2, gap: true, cursor: 'e1-4' });
  const past = await client.next('event');
  expect(past.payload.data).not.toHaveProperty('connectionId');
  await client.next('chat');
  expect((await client.next('event')).payload.data).toMatchObject({ day: 3 });
  expect((await client.next('subscribed')).payload).toMatchObject({ cursor: 'e1-5', missed: 0 });
  expect((await client.next('unsubscribed')).payload.topics).not.toContain('farm');
});

it('tells a gap where the log has gone on under other numbers since the chat was joined', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  await client.rest();
  // As a database that is opened late does.
  const log = stage.events as KeptEventLog<StewardEvent>;
  const begun = { epoch: 'e2', last: 7, keptTo: 7, reserved: Number.POSITIVE_INFINITY };
  log.open(
    { writer: { write: async () => 0 }, reader: nothingKept, marks: () => {}, lowers: async () => true },
    begun,
  );
  stage.events.append(day(1));
  subscribe(client, ['farm'], { cursor: 'e2-7' });
  const { payload } = await client.next('subscribed');
  expect(payload).toMatchObject({ missed: 1, gap: true, cursor: 'e2-8' });
});

it('tells the chat like everything else to who asks for all as events, from the cursor on, once', async () => {
  await using stage = await ChatStage.open();
  stage.say('before');
  stage.events.append(day(1));
  const client = await stage.authenticated();
  stage.say('live');
  await client.next('chat');
  subscribe(client, ['chat', 'players'], { cursor: 'e1-0', asEvents: true });
  const { payload } = await client.next('subscribed');
  expect(payload).toEqual({
    topics: ['chat', 'players'],
    cursor: 'e1-3',
    missed: 2,
    gap: false,
    asEvents: true,
  });
  stage.say('and more');
  stage.events.append(joined);
  await client.rest();
  const events = client.received.flatMap((message) => (message.type === 'event' ? [message.payload] : []));
  expect(events.map(({ type, cursor }) => `${type} ${cursor}`)).toEqual([
    'chat.said e1-1',
    'chat.said e1-3',
    'chat.said e1-4',
    'players.joined e1-5',
  ]);
  expect(events[0]?.data).toEqual({
    playerId: expect.any(BigInt),
    playerIdStr: expect.any(String),
    playerName: expect.any(String),
    message: 'before',
  });
  expect(client.received.filter(({ type }) => type === 'chat')).toHaveLength(1);
});

it('goes on telling of what was subscribed to before all is asked for as events', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  subscribe(client, ['farm', 'players']);
  await client.next('subscribed');
  subscribe(client, ['chat'], { asEvents: true });
  expect((await client.next('subscribed')).payload.topics).toEqual(['chat', 'players', 'farm']);
  stage.events.append(day(1));
  stage.say('and the chat');
  await client.rest();
  expect(heardBy(client)).toEqual(['farm.dayStarted 1', 'chat.said']);
});

it('tells who asks for all as events nothing of the chat that was not subscribed to, or is no more', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  subscribe(client, ['farm'], { asEvents: true });
  expect((await client.next('subscribed')).payload.topics).toEqual(['farm']);
  stage.say('unheard');
  subscribe(client, ['chat']);
  await client.next('subscribed');
  stage.say('heard');
  await client.next('event');
  client.send({ type: 'unsubscribe', payload: { topics: ['chat'] } });
  expect((await client.next('unsubscribed')).payload).toEqual({ topics: ['farm'] });
  stage.say('unheard');
  stage.events.append(day(1));
  await client.rest();
  expect(heardBy(client)).toEqual(['chat.said', 'farm.dayStarted 1']);
  expect(client.received.filter(({ type }) => type === 'chat')).toEqual([]);
});

it('tells who names no topics all that the key may hear, and at any time the place that it is at', async () => {
  await using stage = await ChatStage.open({ key, keys });
  const client = await stage.authenticated('listener');
  client.send({ type: 'subscribe', payload: { asEvents: true } });
  expect((await client.next('subscribed')).payload).toMatchObject({ topics: ['chat'], cursor: 'e1-0' });
  stage.events.append(day(1));
  client.send({ type: 'subscribe', payload: { asEvents: true } });
  expect((await client.next('subscribed')).payload).toMatchObject({ topics: ['chat'], cursor: 'e1-1' });
});
