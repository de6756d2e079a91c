import { steward } from '@steward/client';
import { startCaddyFront } from '@steward/testing/caddy-front';
import { startNginxFront } from '@steward/testing/nginx-front';
import { expect, it } from 'vitest';
import { dayStarted, said, streamStage } from './stage/stream-stage.ts';

const fronts = {
  'nginx without a setting for it': (port: number) => startNginxFront(port),
  'nginx with its gzip': (port: number) => startNginxFront(port, { gzip: true }),
  'Caddy without a setting for it': (port: number) => startCaddyFront(port),
};

it.each(Object.entries(fronts))('what happens comes through %s at once', async (how, start) => {
  await using stage = await streamStage();
  await using front = await start(stage.port);
  const leaving = new AbortController();
  const { headers, body } = await fetch(`${front.http}/events/stream`, { signal: leaving.signal });
  expect(headers.get('content-encoding')).toBe(how.includes('gzip') ? 'gzip' : null);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  for (const event of [said('hello'), dayStarted(5)]) {
    const cursor = stage.tell(event);
    // Held back, it would not come: nothing else is written that would push it on.
    while (!read.includes(`id: ${cursor}\ndata: `)) {
      const piece = await reader?.read();
      if (piece?.value === undefined) throw new Error(`the stream ended after: ${read}`);
      read += piece.value;
    }
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

it.each([
  [
    'nginx, which passes upgrades where it is told to alone',
    fronts['nginx without a setting for it'],
    'stream',
  ],
  ['Caddy, which passes upgrades', fronts['Caddy without a setting for it'], 'ws'],
] as const)('the client hears through %s, at once', async (_how, start, door) => {
  await using stage = await streamStage();
  await using front = await start(stage.port);
  const dropped: string[] = [];
  const after = stage.events.head;
  const events = steward({ url: front.http }).events({ after, onDrop: ({ detail }) => dropped.push(detail) });
  for (const event of [said('hello'), dayStarted(5)]) {
    const cursor = stage.tell(event);
    expect(await events.next()).toMatchObject({ value: { cursor } });
  }
  expect(await stage.metric(`steward_events_listeners{door="${door}"}`)).toBe(1);
  expect(dropped).toEqual([]);
  await events.return();
});
