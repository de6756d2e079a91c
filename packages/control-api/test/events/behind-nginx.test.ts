import { startNginxFront } from '@steward/testing/nginx-front';
import { expect, it } from 'vitest';
import { dayStarted, said, streamStage } from './stage/stream-stage.ts';

it.each([
  ['without a setting for it', false],
  ['and its gzip', true],
])('what happens comes through nginx at once, %s', async (_how, gzip) => {
  await using stage = await streamStage();
  await using nginx = await startNginxFront(stage.port, { gzip });
  const leaving = new AbortController();
  const { headers, body } = await fetch(`${nginx.http}/events/stream`, { signal: leaving.signal });
  expect(headers.get('content-encoding')).toBe(gzip ? 'gzip' : null);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  for (const event of [said('hello'), dayStarted(5)]) {
    const cursor = stage.tell(event);
    // Held back, it would not come: nothing else is written that would push it on.
    while (!read.includes(`id: ${cursor}\ndata: `)) read += (await reader?.read())?.value ?? '';
  }
  leaving.abort();
});

it('a request that waits is answered through nginx as soon as something happens', async () => {
  await using stage = await streamStage();
  await using nginx = await startNginxFront(stage.port);
  const waiting = fetch(`${nginx.http}/events?topics=farm&wait=25&after=${stage.events.head}`);
  await expect.poll(() => stage.metric('steward_events_listeners{door="poll"}')).toBe(1);
  const told = stage.tell(dayStarted(5));
  expect(await (await waiting).json()).toMatchObject({ gap: false, events: [{ cursor: told }] });
});
