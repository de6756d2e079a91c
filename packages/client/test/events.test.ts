import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventsOptions } from '../src/events.ts';
import { askedOf, endOf, next, waitsOf } from './stage/loops.ts';
import { begun, farmSaved, placed, ScriptedStream, streams, told } from './stage/scripted-stream.ts';
import { answers, cut, type Fate, page, problem, scriptedWorld, silence } from './stage/scripted-world.ts';

const [first, second, third] = [1, 2, 3].map((number) => told(farmSaved(number))) as [string, string, string];

const eventPage = (numbers: readonly number[], cursor: string, gap = false): Fate =>
  answers({ events: numbers.map(farmSaved), cursor, gap });

describe('events', () => {
  it('come as they are told, whose ids keep every digit, by the key in the header', async () => {
    const data =
      '{"playerId":620826087702429092,"playerIdStr":"620826087702429092","playerName":"Ann: a\\nb"}';
    const joined = `id: k-7\ndata: {"type":"players.left","at":"","cursor":"k-7","data":${data}}\n\n`;
    const world = scriptedWorld([new ScriptedStream(begun, joined).fate], { key: 'k3y' });
    const events = world.farm.events({ topics: ['players', 'farm'], after: 'k-6' });
    expect(await events.next()).toEqual({
      done: false,
      value: {
        type: 'players.left',
        at: '',
        cursor: 'k-7',
        data: { playerId: 620826087702429092n, playerIdStr: '620826087702429092', playerName: 'Ann: a\nb' },
      },
    });
    expect(askedOf(world)).toEqual(['/events/stream?topics=players%2Cfarm&after=k-6']);
    expect(world.asked[0]?.headers).toMatchObject({ authorization: 'Bearer k3y' });
  });

  it('are the same however what is sent is cut in pieces', async () => {
    const event = { ...farmSaved(1), data: { playerName: 'Zoë 🐔 “quoted”\nand more' } };
    const bytes = new TextEncoder().encode(`${begun}${told(event)}${placed('k-1')}${second}`);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: bytes.length })), async (cuts) => {
        const stream = new ScriptedStream();
        const world = scriptedWorld([stream.fate]);
        const events = world.farm.events();
        const heard = events.next();
        await setImmediate();
        const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
        for (const [index, end] of places.entries())
          if (index > 0) stream.write(bytes.slice(places[index - 1], end));
        expect(await heard).toEqual({ done: false, value: event });
        expect(await events.next()).toEqual({ done: false, value: farmSaved(2) });
        await events.return();
      }),
    );
  });

  it('begin with what happens from now on, and go on from there, even where nothing has happened yet', async () => {
    const world = scriptedWorld([streams(begun, placed('k-41')), streams(first)]);
    expect(await next(world.farm.events(), 1, world)).toEqual(['k-1']);
    expect(askedOf(world)).toEqual(['/events/stream', '/events/stream?after=k-41']);
  });

  it('say where they are while nothing happens, for who keeps its place', async () => {
    const world = scriptedWorld([
      streams(begun, placed('k-0'), first, placed('k-50')),
      eventPage([], 'k-60'),
      streams(told(farmSaved(61))),
    ]);
    const said: string[] = [];
    const events = world.farm.events({ onPlace: (cursor) => said.push(`at ${cursor}`) });
    for (const cursor of await next(events, 1, world)) said.push(String(cursor));
    for (const cursor of await next(events, 1, world)) said.push(String(cursor));
    expect(said).toEqual(['at k-0', 'k-1', 'at k-50', 'k-61']);
  });

  it('say each time that a connection stands, before the first that is heard by it', async () => {
    const world = scriptedWorld([cut, streams(begun, placed('k-41')), streams(first), streams(second)]);
    const said: string[] = [];
    const events = world.farm.events({ onOpen: () => said.push('open') });
    for (const cursor of await next(events, 2, world)) said.push(String(cursor));
    expect(said.filter((each) => each === 'open')).toHaveLength(3);
    expect(said.at(-1)).toBe('k-2');
  });

  it('go on behind the last that came whole, over ends and cuts', async () => {
    const torn = new ScriptedStream(begun, first, second.slice(0, -9));
    const world = scriptedWorld([torn.fate, cut, streams(begun, second), streams(third)]);
    const events = world.farm.events({ after: 'k-0' });
    expect(await next(events, 1, world)).toEqual(['k-1']);
    torn.cut();
    expect(await next(events, 2, world)).toEqual(['k-2', 'k-3']);
    expect(askedOf(world)).toEqual(
      ['k-0', 'k-1', 'k-1', 'k-2'].map((place) => `/events/stream?after=${place}`),
    );
  });

  it('have a gap among them as one of them', async () => {
    const gap = told({ ...farmSaved(5), type: 'gap' } as { cursor: string });
    const world = scriptedWorld([streams(begun, gap, told(farmSaved(6)))]);
    expect(await next(world.farm.events({ after: 'k-0' }), 2, world)).toEqual(['gap', 'k-6']);
  });

  it('wait on the server as long as nobody asks for them', async () => {
    let written = 0;
    const endless: Fate = () => {
      const body = new ReadableStream({
        pull(controller) {
          written += 1;
          controller.enqueue(new TextEncoder().encode(told(farmSaved(written))));
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    };
    const world = scriptedWorld([endless]);
    const events = world.farm.events();
    expect(await next(events, 3, world)).toEqual(['k-1', 'k-2', 'k-3']);
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    expect(written).toBeLessThan(6);
    // However long they take, the line is not taken for dead.
    world.clock.advance(3_600_000);
    expect(await next(events, 1, world)).toEqual(['k-4']);
    expect(world.asked).toHaveLength(1);
  });
});

describe('a loop over events', () => {
  it.each([
    ['key-ended', 401],
    ['unauthorized', 401],
    ['insufficient-scope', 403],
    ['invalid-parameter', 400],
    ['not-found', 404],
  ])('ends where the server says %s, with that', async (code, status) => {
    const world = scriptedWorld([streams(begun, first), problem(status, code)]);
    expect(await endOf(world.farm.events(), world)).toMatchObject({ code, status });
    expect(world.asked).toHaveLength(2);
  });

  it('ends where something else than Steward answers at first, and goes on where it does later', async () => {
    const wrong = scriptedWorld([page(404)]);
    expect(await endOf(wrong.farm.events(), wrong)).toMatchObject({ code: 'not-steward', status: 404 });
    const away = scriptedWorld([streams(begun, first), page(404), streams(second)]);
    expect(await next(away.farm.events(), 2, away)).toEqual(['k-1', 'k-2']);
  });

  it('goes on where the server is away, busy or in trouble, and tells of each time', async () => {
    const dropped: string[] = [];
    const world = scriptedWorld([
      cut,
      page(502),
      problem(503, 'shutting-down', { retry: true }),
      problem(500, 'internal-error'),
      problem(429, 'too-many-requests', { retry: true }, { 'retry-after': '20' }),
      streams(first),
    ]);
    const events = world.farm.events({ onDrop: ({ code }) => dropped.push(code) });
    expect(await next(events, 1, world)).toEqual(['k-1']);
    expect(dropped).toEqual([
      'network',
      'not-steward',
      'shutting-down',
      'internal-error',
      'too-many-requests',
    ]);
    expect(waitsOf(world)).toEqual([250, 500, 1_000, 2_000, 20_000]);
  });

  it('begins with short waits again once something has come', async () => {
    const world = scriptedWorld([cut, cut, cut, streams(first), streams(begun), streams(second)]);
    await next(world.farm.events(), 2, world);
    expect(waitsOf(world)).toEqual([250, 500, 1_000, 250, 500]);
  });

  it('takes a line for dead on which nothing is said, as after a sleep', async () => {
    const dead = new ScriptedStream(begun, first);
    const world = scriptedWorld([dead.fate, streams(second)]);
    const events = world.farm.events();
    expect(await next(events, 1, world)).toEqual(['k-1']);
    const before = world.clock.now();
    expect(await next(events, 1, world)).toEqual(['k-2']);
    expect(dead.isGivenUp).toBe(true);
    expect(world.clock.now() - before).toBeLessThan(40_000);
    expect(askedOf(world)).toEqual(['/events/stream', '/events/stream?after=k-1']);
  });

  it('asks for pages where streams are held back on the way, and for a stream again where pages fail', async () => {
    const world = scriptedWorld(
      [
        silence,
        eventPage([41], 'k-41'),
        eventPage([42, 43], 'k-43'),
        eventPage([44], 'k-44', true),
        problem(503, 'shutting-down', { retry: true }),
        streams(told(farmSaved(45))),
      ],
      { retries: 0 },
    );
    const events = world.farm.events({ topics: ['farm'] });
    expect(await next(events, 5, world)).toEqual(['k-42', 'k-43', 'gap', 'k-44', 'k-45']);
    expect(askedOf(world)).toEqual([
      '/events/stream?topics=farm',
      '/events?topics=farm&limit=1',
      '/events?topics=farm&after=k-41',
      '/events?topics=farm&after=k-43&wait=25',
      '/events?topics=farm&after=k-44&wait=25',
      '/events/stream?topics=farm&after=k-44',
    ]);
  });

  it('are over at once where whoever hears of a lost connection has enough of it', async () => {
    const world = scriptedWorld([problem(503, 'shutting-down', { retry: true }, { 'retry-after': '60' })]);
    const controller = new AbortController();
    const events = world.farm.events({ signal: controller.signal, onDrop: () => controller.abort() });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(world.asked).toHaveLength(1);
  });

  it('asks for pages where the engine has no streams', async () => {
    const bodiless: Fate = () =>
      Object.defineProperty(new Response('', { headers: { 'content-type': 'text/event-stream' } }), 'body', {
        value: undefined,
      });
    const world = scriptedWorld([bodiless, eventPage([1], 'k-1')]);
    expect(await next(world.farm.events({ after: 'k-0' }), 1, world)).toEqual(['k-1']);
  });

  it.each<[string, Fate]>([
    ['before there is an answer', silence],
    ['while nothing comes', new ScriptedStream(begun).fate],
    ['before it is tried again', problem(503, 'shutting-down', { retry: true }, { 'retry-after': '60' })],
  ])('is over at once and without an error when its signal says so, %s', async (_when, fate) => {
    const world = scriptedWorld([fate]);
    const controller = new AbortController();
    const coming = world.farm.events({ signal: controller.signal }).next();
    await setImmediate();
    await setImmediate();
    controller.abort();
    expect(await coming).toEqual({ done: true, value: undefined });
    expect(world.asked).toHaveLength(1);
    expect(world.asked[0]?.signal.aborted).toBe(true);
  });

  it('hands out nothing more after its signal, not even what has come', async () => {
    const world = scriptedWorld([new ScriptedStream(first, second).fate]);
    const controller = new AbortController();
    const events = world.farm.events({ signal: controller.signal });
    expect(await next(events, 1, world)).toEqual(['k-1']);
    controller.abort();
    expect(await next(events, 1, world)).toEqual([]);
    const never: EventsOptions = { signal: AbortSignal.abort() };
    expect(await next(world.farm.events(never), 1, world)).toEqual([]);
    expect(world.asked).toHaveLength(1);
  });

  it('leaves no connection behind when it is left', async () => {
    const stream = new ScriptedStream(first, second);
    const world = scriptedWorld([stream.fate]);
    for await (const { cursor } of world.farm.events()) {
      expect(cursor).toBe('k-1');
      break;
    }
    expect(stream.isGivenUp).toBe(true);
  });

  it('without topics is refused, where none is one by mistake', () => {
    const { farm } = scriptedWorld([]);
    expect(() => farm.events({ topics: [] })).toThrow(TypeError);
  });

  it('gives up what has no end and is no stream of Steward', async () => {
    const world = scriptedWorld([streams('x'.repeat(2_000_000))]);
    expect(await endOf(world.farm.events(), world)).toMatchObject({ code: 'not-steward' });
  });
});
