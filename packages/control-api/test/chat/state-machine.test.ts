import type { ServerMessage } from '@steward/shared/chat/server-messages';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applied, ChatStage, key } from './stage/chat-stage.ts';
import type { Client } from './stage/client.ts';
import { ConnectionModel, type Step, steps } from './stage/connection-model.ts';

const messages: Partial<Record<Step, object | string | Buffer>> = {
  'right auth': { type: 'auth', payload: { token: key } },
  'wrong auth': { type: 'auth', payload: { token: 'wrong' } },
  'auth without token': { type: 'auth' },
  ping: { type: 'ping' },
  'chat with id': { type: 'chat_send', payload: { author: 'a', message: 'b', id: '1' } },
  'chat without id': { type: 'chat_send', payload: { author: 'a', message: 'b' } },
  'empty chat with id': { type: 'chat_send', payload: { author: 'a', message: '', id: '1' } },
  resume: { type: 'resume', payload: {} },
  'resume from nowhere': { type: 'resume', payload: { cursor: 'nowhere' } },
  subscribe: { type: 'subscribe', payload: { topics: ['farm'] } },
  'subscribe to nothing known': { type: 'subscribe', payload: { topics: ['farm', 'weather'] } },
  unsubscribe: { type: 'unsubscribe' },
  'no JSON': '{',
  binary: Buffer.from('{"type":"ping"}'),
  'unknown type': { type: 'chat' },
};

function act(step: Step, stage: ChatStage, client: Client): void {
  if (step === 'somebody speaks') stage.say('hello');
  else if (step === 'somebody whispers') stage.say(' !secret');
  else if (step === 'a day begins')
    stage.events.append({ type: 'farm.dayStarted', data: { day: 1, season: 'spring', year: 1 } });
  else if (step === 'subscribe from here')
    client.send({ type: 'subscribe', payload: { topics: ['farm'], cursor: stage.events.head } });
  else if (step === 'nine seconds') stage.clock.advance(9_000);
  else client.send(messages[step] ?? {});
}

function inShort(message: ServerMessage): string {
  if (message.type === 'error') return `error ${message.payload.code}`;
  return message.type === 'chat_sent' ? `chat_sent ${message.payload.status}` : message.type;
}

it('behaves as its model on every sequence of messages, with a key and without', {
  timeout: 600_000,
}, async () => {
  // Nobody is asked for a sign of life: the steps let time pass faster than a client could give one.
  const limits = { messagesPerSecond: 1_000, pingMs: Number.MAX_SAFE_INTEGER };
  await using keyed = await ChatStage.open({ key, limits });
  await using open = await ChatStage.open({ limits });
  for (const stage of [keyed, open]) stage.answer = async () => applied;
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(fc.constantFrom(...steps), { maxLength: 12 }),
      async (hasKey, sequence) => {
        const stage = hasKey ? keyed : open;
        const client = await stage.client();
        const model = new ConnectionModel(hasKey);
        for (const step of sequence) {
          if (model.state === 'closed') break;
          act(step, stage, client);
          model.take(step);
          while (client.received.length < model.expected.length) await client.nextOfAny();
        }
        if (model.state === 'closed') expect((await client.closed).code).toBe(1008);
        else if (model.state === 'authenticated') {
          client.send({ type: 'ping' });
          model.take('ping');
          while (client.received.at(-1)?.type !== 'pong' || client.received.length < model.expected.length)
            await client.nextOfAny();
        }
        expect(client.received.map(inShort)).toEqual(model.expected);
        client.close();
        await client.closed;
        // Ten wrong keys a minute, and the next upgrade would be refused.
        stage.clock.advance(60_000);
      },
    ),
    { numRuns: count({ small: 150, long: 10_000 }) },
  );
});
