import { expect, it } from 'vitest';
import { Client } from '../chat/stage/client.ts';
import { dayStarted, joined, said, streamStage } from './stage/stream-stage.ts';

async function chatClient(port: number): Promise<{ client: Client; texts: string[] }> {
  const client = await Client.open(`ws://127.0.0.1:${port}/ws`);
  const texts: string[] = [];
  client.socket.on('message', (data) => texts.push(data.toString()));
  return { client, texts };
}

it('every door says of each event which server’s it is, where that has a name, and of a gap too', async () => {
  await using stage = await streamStage({ environment: { INSTANCE_NAME: 'Hill "farm"' } });
  const { client } = await chatClient(stage.port);
  client.send({ type: 'subscribe', payload: { topics: ['chat', 'players', 'farm'], asEvents: true } });
  await client.next('subscribed');
  const reader = await stage.read({ query: '?after=another-7&topics=chat,players,farm' });
  expect(await reader.next()).toMatchObject({ type: 'gap', instance: 'Hill "farm"' });
  for (const event of [dayStarted(1), joined, said('good morning')]) {
    const cursor = stage.tell(event);
    const told = { type: event.type, cursor, instance: 'Hill "farm"' };
    expect((await client.next('event')).payload).toMatchObject(told);
    expect(await reader.next()).toMatchObject(told);
  }
  const { body } = await stage.api.ask('GET', '/events?topics=chat,players,farm');
  const { events } = JSON.parse(body) as { events: { type: string; instance?: string }[] };
  expect(events.length).toBeGreaterThanOrEqual(3);
  expect(new Set(events.map(({ instance }) => instance))).toEqual(new Set(['Hill "farm"']));
  client.close();
});

it.each(['', 'hill'])('a chat line on `/ws` is what it always was, where the name is "%s"', async (name) => {
  await using stage = await streamStage({ environment: { INSTANCE_NAME: name } });
  const { client, texts } = await chatClient(stage.port);
  await client.rest();
  const cursor = stage.tell(said('good morning'));
  await client.next('chat');
  const timestamp = stage.api.clock.date().toISOString();
  expect(texts).toEqual([
    '{"type":"pong"}',
    `{"type":"chat","payload":{"playerName":"Ann","message":"good morning","timestamp":"${timestamp}","cursor":"${cursor}"}}`,
  ]);
  client.close();
});
