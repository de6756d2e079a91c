import type { StewardEvent } from '@steward/shared/events/event-data';
import { keptTopicNames, type Topic, topicOf } from '@steward/shared/events/event-types';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { expect, it } from 'vitest';
import { ChatStage, key } from './stage/chat-stage.ts';
import { Subscriber } from './stage/subscriber.ts';

const disconnects = count({ small: 100, long: 10_000 });

const player = { playerId: '620826087702429092', playerName: 'Ann' };
const reason = { reason: 'It is so' };

/** One of each topic, two of the chat: one of them is told to nobody. */
const happenings: readonly StewardEvent[] = [
  { type: 'chat.said', data: { ...player, message: 'good morning' } },
  { type: 'chat.said', data: { ...player, message: '!login hunter2' } },
  { type: 'players.joined', data: { ...player, door: 'network-p2p', connectionId: 'GN_46265193014' } },
  { type: 'farm.dayStarted', data: { day: 1, season: 'spring', year: 1 } },
  { type: 'farmhands.customized', data: player },
  { type: 'invites.networkSignedIn', data: {} },
  { type: 'game.slow', data: reason },
  { type: 'operations.ended', data: { operationId: '7', command: 'setTime', state: 'applied' } },
  { type: 'sidecar.session', data: { state: 'no-account', ...reason } },
  { type: 'webhooks.switchedOff', data: { webhookId: 'w', webhookName: 'channel', ...reason } },
  { type: 'backups.deleted', data: { backupId: '20261120T220000Z-3f9a7c', why: 'asked', by: 'rule' } },
  {
    type: 'schedules.switchedOff',
    data: { scheduleId: 's', scheduleName: 'nightly', action: 'save', ...reason },
  },
  { type: 'server.settingsChanged', data: { fields: ['server.name'] } },
];

it('has one of each topic', () => {
  expect(new Set(happenings.map(({ type }) => topicOf(type)))).toEqual(new Set(keptTopicNames));
});

it(`loses and doubles nothing of any topic over ${disconnects} disconnects, and keeps the order`, {
  timeout: 600_000,
}, async () => {
  await using stage = await ChatStage.open({ key, log: { events: 1_000_000, bytes: 2 ** 30 } });
  const random = seededRandom(seed);
  const next = (most: number) => Math.floor(random() * most);
  const told: { readonly cursor: string; readonly topic: Topic }[] = [];
  const happen = (times: number) => {
    for (let time = 0; time < times; time += 1) {
      const event = happenings[next(happenings.length)] as StewardEvent;
      const { cursor } = stage.events.append(event);
      if (event !== happenings[1]) told.push({ cursor, topic: topicOf(event.type) });
    }
  };
  const subscribers = [keptTopicNames, ['farm', 'players'], ['operations', 'chat']].map(
    (topics) => new Subscriber(stage.url, key, topics as readonly Topic[]),
  );
  for (const subscriber of subscribers) {
    await subscriber.connect();
    await subscriber.subscribe();
  }
  const connectAgain = async (subscriber: Subscriber) => {
    await subscriber.connect();
    // Of what is told meanwhile the chat is heard already.
    if (next(3) === 0) {
      happen(next(4));
      await subscriber.answered();
      happen(next(4));
    }
    await subscriber.subscribe();
  };
  for (let cut = 0; cut < disconnects; cut += 1) {
    const subscriber = subscribers[next(subscribers.length)] as Subscriber;
    happen(next(4));
    if (next(2) === 0) await subscriber.answered();
    happen(next(4));
    // Now and then the network goes, and with it everybody's line.
    const all = next(10) === 0;
    if (all) stage.cut();
    const lost = all ? subscribers : [subscriber];
    for (const one of lost) one.cut();
    happen(next(4));
    for (const one of lost) await connectAgain(one);
  }
  for (const subscriber of subscribers) {
    stage.say('good night');
    const hears = new Set<Topic>(['chat', ...subscriber.topics]);
    told.push({ cursor: stage.events.head, topic: 'chat' });
    await subscriber.hearUntil(stage.events.head);
    const wanted = told.filter(({ topic }) => hears.has(topic));
    const heard = new Map(subscriber.heard.map((cursor, index) => [cursor, index]));
    expect(subscriber.heard.length).toBe(wanted.length);
    expect(wanted.filter(({ cursor }) => !heard.has(cursor))).toEqual([]);
    expect(subscriber.gaps).toBe(0);
    for (const isChat of [true, false]) {
      const places = wanted
        .filter(({ topic }) => (topic === 'chat') === isChat)
        .map(({ cursor }) => heard.get(cursor));
      expect(places).toEqual(places.toSorted((one, other) => Number(one) - Number(other)));
    }
  }
});
