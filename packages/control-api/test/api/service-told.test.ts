import { once } from 'node:events';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { StreamReader } from '../events/stage/stream-reader.ts';
import { openApi } from './stage/open-api.ts';

type Api = Awaited<ReturnType<typeof openApi>>;

/** All that was ever told, over restarts too. */
async function log({ bridge }: Pick<Api, 'bridge'>): Promise<StewardEvent[]> {
  const [epoch = ''] = bridge.events.head.split('-');
  const { events } = await bridge.events.after({ epoch, number: 0 });
  return events.map(({ event }) => event);
}

it('tells that it has started, and that it stops before anything of it has', async () => {
  using directory = temporaryDirectory();
  const heard: string[] = [];
  {
    await using api = await openApi({ directory: directory.path });
    api.bridge.events.follow(({ event }) => {
      if (event.type === 'server.stopping') heard.push(api.app.server.listening ? 'open' : 'closed');
    });
    await api.listen();
  }
  expect(heard).toEqual(['open']);
  await using api = await openApi({ directory: directory.path, game: false });
  const own = (await log(api)).filter(({ type }) => type.startsWith('server.') || type.startsWith('game.'));
  expect(own).toMatchObject([
    { type: 'server.started', data: { version: '0.1.0' } },
    { type: 'game.connected' },
    { type: 'server.stopping', data: {} },
    { type: 'game.stopped' },
    { type: 'server.started' },
  ]);
});

it('tells those who listen that it stops before their connections end', async () => {
  const api = await openApi();
  const { port } = await api.listen();
  using stream = await StreamReader.open(port, { query: '?topics=server' });
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  const frames: { type: string; payload: { type?: string } }[] = [];
  const { promise: subscribed, resolve } = Promise.withResolvers<void>();
  socket.on('message', (text) => {
    const frame = JSON.parse(String(text));
    frames.push(frame);
    if (frame.type === 'subscribed') resolve();
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'subscribe', payload: { topics: ['server'] } }));
  await subscribed;
  const closed = once(socket, 'close');
  await api[Symbol.asyncDispose]();
  expect((await closed)[0]).toBe(1012);
  await stream.over;
  expect(stream.heard.map(({ item }) => item.type)).toEqual(['server.stopping']);
  expect(frames.slice(1).map(({ type, payload }) => [type, payload.type])).toEqual([
    ['event', 'server.stopping'],
  ]);
});

it('tells which settings were changed, those in the file manually among them, and nothing where none was', async () => {
  await using api = await openApi();
  await api.ask('POST', '/settings?maxPlayers=8&allowIpConnections=true');
  await api.ask('POST', '/settings?maxPlayers=8');
  await api.file.replace('{ "Game": { "FarmName": "Hill" }, "Server": { "MaxPlayers": 3 } }');
  await api.ask('POST', '/settings?separateWallets=true');
  api.farm.mood = { refuses: 'saving', message: 'later' };
  await api.ask('POST', '/settings?separateWallets=false');
  const told = (await log(api)).filter(({ type }) => type === 'server.settingsChanged');
  expect(told.map(({ data }) => data)).toEqual([
    { fields: ['server.maxPlayers', 'server.allowIpConnections'] },
    { fields: ['game.farmName', 'server.maxPlayers', 'server.separateWallets', 'server.allowIpConnections'] },
  ]);
});
