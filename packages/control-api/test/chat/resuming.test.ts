import { expect, it, vi } from 'vitest';
import { catchUpMs } from '../../src/events/outbox.ts';
import { StoreError } from '../../src/store/tables/store-error.ts';
import { ChatStage } from './stage/chat-stage.ts';

it('tells what was missed, in order, before anything new', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  stage.say('one');
  const { cursor } = (await client.next('chat')).payload;
  client.close();
  await client.closed;
  stage.say('two');
  stage.say('three');
  const again = await stage.authenticated();
  again.send({ type: 'resume', payload: { cursor } });
  expect((await again.next('resumed')).payload).toEqual({ missed: 2, gap: false, cursor: 'e1-3' });
  stage.say('four');
  await again.rest();
  expect(again.texts).toEqual(['two', 'three', 'four']);
});

it('never repeats what the connection has heard live, and tells the missed in one piece', async () => {
  await using stage = await ChatStage.open();
  stage.say('one');
  stage.say('two');
  const client = await stage.authenticated();
  stage.say('three');
  await client.next('chat');
  client.send({ type: 'resume', payload: { cursor: 'e1-1' } });
  expect((await client.next('resumed')).payload).toEqual({ missed: 1, gap: false, cursor: 'e1-2' });
  await client.rest();
  expect(client.texts).toEqual(['three', 'two']);
});

it('tells the present place to a client that has none yet', async () => {
  await using stage = await ChatStage.open();
  stage.say('one');
  const client = await stage.authenticated();
  client.send({ type: 'resume' });
  expect((await client.next('resumed')).payload).toEqual({ missed: 0, gap: false, cursor: 'e1-1' });
});

it('resumes once a connection', async () => {
  await using stage = await ChatStage.open();
  const client = await stage.authenticated();
  client.send({ type: 'resume', payload: { cursor: 'e1-0' } });
  client.send({ type: 'resume', payload: { cursor: 'e1-0' } });
  await client.next('resumed');
  expect((await client.next('error')).payload.code).toBe('already-resumed');
});

it('says that there is a gap after a restart, and tells all that it still has', async () => {
  await using stage = await ChatStage.open({ epoch: 'e2' });
  stage.say('since the restart');
  const client = await stage.client();
  client.send({ type: 'resume', payload: { cursor: 'e1-41' } });
  expect((await client.next('resumed')).payload).toEqual({ missed: 1, gap: true, cursor: 'e2-1' });
  expect((await client.next('chat')).payload.message).toBe('since the restart');
  expect(stage.relay.counts.gaps).toBe(1);
});

it('says that there is a gap when the log no longer reaches back', async () => {
  await using stage = await ChatStage.open({ log: { events: 2, bytes: 1_000_000 } });
  for (const text of ['one', 'two', 'three', 'four']) stage.say(text);
  const client = await stage.client();
  client.send({ type: 'resume', payload: { cursor: 'e1-1' } });
  expect((await client.next('resumed')).payload).toEqual({ missed: 2, gap: true, cursor: 'e1-4' });
  await client.rest();
  expect(client.texts).toEqual(['three', 'four']);
});

it('writes a long past no faster than it is read, with the present behind it, to a client of any patience', async () => {
  await using stage = await ChatStage.open({ limits: { unreadBytes: 100_000 } });
  const long = 'x'.repeat(1_000);
  for (let number = 0; number < 7_000; number += 1) stage.say(`${number} ${long}`);
  const client = await stage.client();
  client.socket.pause();
  client.send({ type: 'resume', payload: { cursor: 'e1-0' } });
  const other = await stage.client();
  other.send({ type: 'resume' });
  await other.next('resumed');
  stage.say('now');
  await other.rest();
  expect(other.texts).toEqual(['now']);
  client.socket.resume();
  expect((await client.next('resumed')).payload.missed).toBe(7_000);
  for (let number = 0; number < 7_000; number += 1) await client.next('chat');
  expect((await client.next('chat')).payload.message).toBe('now');
  expect(client.texts.map((text) => Number(text.split(' ')[0]))).toEqual([
    ...Array(7_000).keys(),
    Number.NaN,
  ]);
});

it('drops a client that has not taken what it missed in time, and nobody who has', async () => {
  await using stage = await ChatStage.open({ limits: { pingMs: 60 * 60_000, closeMs: 3_000 } });
  const long = 'x'.repeat(1_000);
  for (let number = 0; number < 7_000; number += 1) stage.say(`${number} ${long}`);
  const [asleep, awake] = [await stage.client(), await stage.client()];
  asleep.socket.pause();
  for (const client of [asleep, awake]) client.send({ type: 'resume', payload: { cursor: 'e1-0' } });
  await awake.next('resumed');
  for (let number = 0; number < 7_000; number += 1) await awake.next('chat');
  expect(stage.relay.counts.resumed).toBe(2);
  stage.clock.advance(catchUpMs - 1);
  expect(stage.relay.listeners).toBe(2);
  stage.clock.advance(1);
  expect(stage.relay.counts.closed['slow-reader']).toBe(1);
  asleep.socket.resume();
  expect((await asleep.closed).code).toBe(1013);
  await awake.rest();
  expect(stage.relay.listeners).toBe(1);
});

it('closes a connection whose past cannot be read now, so that the client asks again, and tells it of no gap', async () => {
  await using stage = await ChatStage.open({ log: { events: 2, bytes: 1_000_000 } });
  vi.spyOn(stage.events, 'after').mockRejectedValueOnce(new StoreError('busy', 'it is locked'));
  for (const text of ['one', 'two', 'three']) stage.say(text);
  const client = await stage.client();
  client.send({ type: 'resume', payload: { cursor: 'e1-0' } });
  expect(await client.closed).toEqual({ code: 1013, reason: 'What was missed cannot be read' });
  expect([stage.relay.counts.closed['past-unreadable'], stage.relay.counts.gaps]).toEqual([1, 0]);
});

/** A stage whose log takes until a test says so to look for what memory does not reach. */
async function slowPast() {
  const stage = await ChatStage.open({
    log: { events: 2, bytes: 1_000_000 },
    limits: { unreadBytes: 100_000 },
  });
  const found = Promise.withResolvers<void>();
  const after = stage.events.after.bind(stage.events);
  vi.spyOn(stage.events, 'after').mockImplementation(async (cursor) => {
    const reading = await after(cursor);
    await found.promise;
    return reading;
  });
  for (const text of ['one', 'two', 'three']) stage.say(text);
  const client = await stage.client();
  client.send({ type: 'resume', payload: { cursor: 'e1-0' } });
  await client.rest();
  return { stage, client, found, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
}

it('tells the missed before anything new also where it has to be looked for first, and answers meanwhile', async () => {
  await using slow = await slowPast();
  slow.stage.say('four');
  await slow.client.rest();
  slow.client.send({ type: 'resume', payload: { cursor: 'e1-0' } });
  expect((await slow.client.next('error')).payload.code).toBe('already-resumed');
  expect(slow.client.texts).toEqual([]);
  slow.found.resolve();
  expect((await slow.client.next('resumed')).payload).toEqual({ missed: 2, gap: true, cursor: 'e1-3' });
  await slow.client.rest();
  expect(slow.client.texts).toEqual(['two', 'three', 'four']);
});

it('gives a client up for which too much waits meanwhile, and tells one nothing that has gone', async () => {
  await using slow = await slowPast();
  for (let line = 0; line < 110; line += 1) slow.stage.say('x'.repeat(1_000));
  expect((await slow.client.closed).code).toBe(1013);
  slow.found.resolve();
  await slow.stage.client();
  expect(slow.stage.relay.counts.resumed).toBe(0);
});
