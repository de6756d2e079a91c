import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { steward } from '../src/index.ts';
import type { StewardOptions } from '../src/options.ts';
import { silenceMs } from '../src/stream.ts';
import { askedOf, endOf, next } from './stage/loops.ts';
import {
  and,
  blocked,
  ended,
  failed,
  refused,
  type SocketFate,
  subscribed,
  swallowed,
} from './stage/scripted-socket.ts';
import { begun, farmSaved, placed, ScriptedStream, streams, told } from './stage/scripted-stream.ts';
import { cut, type Fate, problem, type ScriptedWorld, scriptedWorld } from './stage/scripted-world.ts';

interface Fates {
  readonly sockets: readonly SocketFate[];
  readonly requests?: readonly Fate[];
  readonly options?: Partial<StewardOptions>;
}

const worldOf = ({ sockets, requests = [], options = {} }: Fates): ScriptedWorld =>
  scriptedWorld(requests, options, 0, sockets);

const [first, second, third] = [1, 2, 3].map(farmSaved) as [object, object, object];

/** The places from which each socket asked to be told. */
const placesOf = ({ sockets }: ScriptedWorld) =>
  sockets.flatMap(({ sent }) => {
    const subscriptions = (sent as { type: string; payload: { cursor?: string } }[]).filter(
      ({ type }) => type === 'subscribe',
    );
    return subscriptions.slice(0, 1).map(({ payload }) => payload.cursor);
  });

describe('events by a socket', () => {
  it('come as they are told, whose ids keep every digit, by the key in a message', async () => {
    const data =
      '{"playerId":620826087702429092,"playerIdStr":"620826087702429092","playerName":"Ann","message":"hi"}';
    const said = `{"type":"event","payload":{"type":"chat.said","at":"","cursor":"k-7","data":${data}}}`;
    const world = worldOf({
      sockets: [
        and(subscribed({ cursor: 'k-7', missed: 1 }), ({ onmessage }) => onmessage?.({ data: said })),
      ],
      options: { url: 'https://farm.example/api/', key: 'k3y' },
    });
    const events = world.farm.events({ topics: ['chat', 'farm'], after: 'k-6' });
    expect(await events.next()).toEqual({
      done: false,
      value: {
        type: 'chat.said',
        at: '',
        cursor: 'k-7',
        data: {
          playerId: 620826087702429092n,
          playerIdStr: '620826087702429092',
          playerName: 'Ann',
          message: 'hi',
        },
      },
    });
    expect(world.sockets.map(({ url, sent }) => ({ url, sent }))).toEqual([
      {
        url: 'wss://farm.example/api/ws',
        sent: [
          { type: 'auth', payload: { token: 'k3y' } },
          { type: 'subscribe', payload: { topics: ['chat', 'farm'], cursor: 'k-6', asEvents: true } },
        ],
      },
    ]);
    expect(world.asked).toEqual([]);
  });

  it('go on behind the last that came, by sockets again, over whatever ends one that was open', async () => {
    const world = worldOf({
      sockets: [
        and(subscribed({ cursor: 'k-0' }), ended(1012)),
        and(subscribed({ cursor: 'k-2', missed: 2 }, first), ended()),
        and(subscribed({ cursor: 'k-2', missed: 1 }, second), ended(1013)),
        subscribed({ cursor: 'k-2' }, third),
      ],
    });
    const dropped: string[] = [];
    const events = world.farm.events({ onDrop: ({ code }) => dropped.push(code) });
    expect(await next(events, 3, world)).toEqual(['k-1', 'k-2', 'k-3']);
    expect(placesOf(world)).toEqual([undefined, 'k-0', 'k-1', 'k-2']);
    expect(dropped).toEqual(['network', 'network', 'network']);
    expect(world.asked).toEqual([]);
  });

  it('have a gap among them as one of them, and pass over lines of the chat that are no events', async () => {
    const world = worldOf({
      sockets: [
        (socket) => {
          socket.say('chat', { playerName: 'Ann', message: 'hi', cursor: 'k-4' });
          subscribed({ cursor: 'k-3', missed: 1, gap: true }, third)(socket);
        },
      ],
    });
    expect(await next(world.farm.events({ after: 'k-0' }), 2, world)).toEqual(['gap', 'k-3']);
  });

  it('are heard for as long as the server says where it is, and from there on', async () => {
    const places = ['k-50', 'k-60', 'k-70'];
    const answering: SocketFate = (socket) => {
      subscribed({ cursor: 'k-1' }, first)(socket);
      const { send } = socket;
      socket.send = (text) => {
        send.call(socket, text);
        const cursor = places.shift();
        if (cursor !== undefined) socket.say('subscribed', { cursor, missed: 0, gap: false, asEvents: true });
      };
    };
    const world = worldOf({ sockets: [answering, subscribed({ cursor: 'k-71' }, farmSaved(71))] });
    const said: string[] = [];
    const events = world.farm.events({ topics: ['farm'], onPlace: (cursor) => said.push(cursor) });
    expect(await next(events, 1, world)).toEqual(['k-1']);
    expect(await next(events, 1, world)).toEqual(['k-71']);
    expect(placesOf(world)).toEqual([undefined, 'k-70']);
    expect(said).toEqual(['k-1', 'k-50', 'k-60', 'k-70', 'k-71']);
    expect(world.sockets[0]?.isGivenUp).toBe(true);
    expect(world.clock.now()).toBeGreaterThan(75_000);
    expect(world.clock.now()).toBeLessThan(85_000);
  });

  it.each<[string, SocketFate]>([
    ['no upgrade comes through', refused],
    ['an upgrade is swallowed', swallowed],
    ['the server has no room for it', and((socket) => socket.open(), ended(1013))],
    [
      'the server is too old to tell the chat with ids',
      (socket) => {
        socket.open();
        socket.say('subscribed', { topics: ['chat'], cursor: 'k-0', missed: 0, gap: false });
      },
    ],
    ['something else than Steward answers', (socket) => socket.onmessage?.({ data: 'welcome' })],
    ['something else tells of events of its own', (socket) => socket.say('event')],
    ['something else knows subscriptions, too', (socket) => socket.say('subscribed')],
  ])('come by a stream where %s, without a word of it', async (_why, fate) => {
    const dropped: string[] = [];
    const world = worldOf({
      sockets: [fate],
      requests: [streams(begun, placed('k-0'), told(farmSaved(1))), streams(told(farmSaved(2)))],
    });
    const events = world.farm.events({ topics: ['farm'], onDrop: ({ code }) => dropped.push(code) });
    expect(await next(events, 1, world)).toEqual(['k-1']);
    expect(dropped).toEqual([]);
    // What works is tried again first.
    expect(await next(events, 1, world)).toEqual(['k-2']);
    expect(world.sockets).toHaveLength(1);
    expect(world.sockets[0]?.onmessage).toBeNull();
    expect(askedOf(world)).toEqual(['/events/stream?topics=farm', '/events/stream?topics=farm&after=k-1']);
  });

  it('come by a stream at once where no socket can open, which Node 22 tells by `error` alone', async () => {
    const world = worldOf({ sockets: [failed], requests: [streams(told(farmSaved(1)))] });
    expect(await next(world.farm.events(), 1, world)).toEqual(['k-1']);
    expect(world.clock.now()).toBeLessThan(silenceMs.opening);
  });

  it('come by a stream where no socket may be made', async () => {
    const world = worldOf({ sockets: [blocked], requests: [streams(told(farmSaved(1)))] });
    expect(await next(world.farm.events(), 1, world)).toEqual(['k-1']);
    expect(world.sockets).toEqual([]);
  });

  it('come by the `fetch` that was given alone, which may go through a proxy or know a certificate', async () => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      asked.push(String(url));
      return new Response(told(farmSaved(1)), { headers: { 'content-type': 'text/event-stream' } });
    };
    vi.stubGlobal(
      'WebSocket',
      vi.fn(() => {
        throw new Error('it goes past the fetch that was given');
      }),
    );
    const events = steward({ url: 'http://farm.example:8080', fetch }).events();
    expect(await events.next()).toMatchObject({ value: { cursor: 'k-1' } });
    await events.return();
    expect(asked).toEqual(['http://farm.example:8080/events/stream']);
    expect(WebSocket).not.toHaveBeenCalled();
    vi.unstubAllGlobals();
  });

  it('come by a socket again when it is the stream that does not work', async () => {
    const world = worldOf({
      sockets: [refused, subscribed({ cursor: 'k-2' }, second)],
      requests: [streams(begun, told(farmSaved(1))), cut],
    });
    expect(await next(world.farm.events(), 2, world)).toEqual(['k-1', 'k-2']);
    expect(placesOf(world)).toEqual(['k-1']);
  });

  it.each([
    [1008, 'insufficient-scope', 403],
    [4001, 'key-ended', 401],
  ])('end with what a request is told where a socket was closed with %d', async (code, name, status) => {
    const world = worldOf({
      sockets: [and(subscribed({ cursor: 'k-0' }, first), ended(code))],
      requests: [problem(status, name)],
    });
    const dropped: string[] = [];
    const events = world.farm.events({ onDrop: (error) => dropped.push(error.code) });
    expect(await next(events, 1, world)).toEqual(['k-1']);
    expect(await endOf(events, world)).toMatchObject({ code: name, status });
    expect(askedOf(world)).toEqual(['/events/stream?after=k-1']);
    expect(dropped).toEqual([]);
  });

  it('are let go of by who is slow, and come by a stream, which waits', async () => {
    const long = (number: number) => ({ ...farmSaved(number), data: { text: 'x'.repeat(100_000) } });
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
    const stream = new ScriptedStream(told(farmSaved(12)));
    const world = worldOf({
      sockets: [subscribed({ cursor: 'k-0' }, ...numbers.map(long))],
      requests: [stream.fate],
    });
    const events = world.farm.events();
    expect(await next(events, 1, world)).toEqual(['k-1']);
    expect(world.sockets[0]?.isGivenUp).toBe(true);
    const rest = await next(events, 11, world);
    expect(rest.at(-1)).toBe('k-12');
    expect(askedOf(world)).toEqual(['/events/stream?after=k-11']);
  });

  it.each<[string, SocketFate]>([
    ['before it is open', swallowed],
    ['while nothing comes', subscribed({ cursor: 'k-0' })],
  ])('are over at once and without an error when their signal says so, %s', async (_when, fate) => {
    const world = worldOf({ sockets: [fate] });
    const controller = new AbortController();
    const coming = world.farm.events({ signal: controller.signal }).next();
    await setImmediate();
    controller.abort();
    expect(await coming).toEqual({ done: true, value: undefined });
    expect(world.sockets.map(({ isGivenUp }) => isGivenUp)).toEqual([true]);
    expect(world.asked).toEqual([]);
  });

  it('leave no connection behind when they are left', async () => {
    const world = worldOf({ sockets: [subscribed({ cursor: 'k-0' }, first, second)] });
    for await (const _event of world.farm.events()) break;
    expect(world.sockets[0]?.isGivenUp).toBe(true);
    expect(world.sockets[0]?.onmessage).toBeNull();
  });
});
