import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StewardError, type StewardOptions, steward } from '../src/index.ts';
import {
  answers,
  cut,
  type Fate,
  page,
  problem,
  type ScriptedWorld,
  scriptedWorld,
  silence,
  whileTimePasses,
} from './stage/scripted-world.ts';

const away = problem(503, 'game-unavailable', { retry: true });
const set: Fate = answers({ success: true, timeOfDay: 1200, operationId: '1' });
const setTime = ({ farm }: ScriptedWorld) => farm.setTime({ value: 1200 });
const getTime = ({ farm }: ScriptedWorld) => farm.getTime();

/** What a call comes to while time passes. */
async function ended<T>(call: Promise<T>, { clock }: ScriptedWorld): Promise<T | StewardError> {
  const outcome = call.catch((error: unknown) => {
    if (error instanceof StewardError) return error;
    throw error;
  });
  return await whileTimePasses(outcome, clock);
}

describe('a request', () => {
  it('has its parameters in path and query, as they are', async () => {
    const world = scriptedWorld([answers({})]);
    await world.farm.getOperation({ id: 16394852047116039211n });
    await world.farm.grantAdmin({ playerId: -4611686018427387905n });
    await world.farm.sendChat({ message: 'a+b & c=ü?', author: undefined });
    await world.farm.getSamples({ from: new Date(Date.UTC(2026, 10, 21)), step: 'hour' });
    expect(
      world.asked.map(({ method, url }) => `${method} ${url.replace('http://farm.example:8080', '')}`),
    ).toEqual([
      'GET /operations/16394852047116039211',
      'POST /roles/admin?playerId=-4611686018427387905',
      'POST /chat?message=a%2Bb+%26+c%3D%C3%BC%3F',
      'GET /samples?from=2026-11-21T00%3A00%3A00.000Z&step=hour',
    ]);
  });

  it.each([
    ['http://farm.example', 'http://farm.example/time'],
    ['https://farm.example/steward/', 'https://farm.example/steward/time'],
    ['http://[::1]:8080/a/b', 'http://[::1]:8080/a/b/time'],
  ])('to %s goes to %s, with the key in a header alone', async (url, expected) => {
    const world = scriptedWorld([answers({})], { url, key: 's3cret' });
    await world.farm.getTime();
    expect(world.asked[0]).toMatchObject({ url: expected, headers: { authorization: 'Bearer s3cret' } });
  });

  it.each([
    ['ftp://farm.example', 'http or https'],
    ['127.0.0.1:8080', 'must be complete'],
    ['http://user:pass@farm.example', 'the key of the API goes into `key`'],
    ['http://farm.example/?key=1', 'without ?'],
  ])('to %s is none', (url, words) => {
    expect(() => scriptedWorld([set], { url })).toThrow(words);
  });

  it('carries a key of several words, which `API_KEY` may be', async () => {
    const world = scriptedWorld([set], { key: 'two words' });
    await world.farm.setTime({ value: 1200 });
    expect(world.asked[0]?.headers).toMatchObject({ authorization: 'Bearer two words' });
  });

  it.each(['', ' s3cret', 's3cret ', 's3cret\n', 'clé', null])(
    'with the key %j is none, and says it nowhere',
    (key) => {
      expect(() => scriptedWorld([set], { key: key as string })).toThrow(
        expect.objectContaining({
          name: 'TypeError',
          message: expect.not.stringMatching(/s3cret|cl/),
        }),
      );
    },
  );

  it('is not made of an id that was rounded, nor of one that leads to another path', async () => {
    const world = scriptedWorld([set]);
    const rounded = Number('620826087702429092') as unknown as bigint;
    await expect(world.farm.grantAdmin({ playerId: rounded })).rejects.toThrow('use a bigint or text');
    for (const id of ['', '.', '..', undefined as unknown as string])
      await expect(world.farm.getOperation({ id })).rejects.toThrow(TypeError);
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, {} as number, null as unknown as number])
      await expect(world.farm.setTime({ value })).rejects.toThrow(TypeError);
    for (const idempotencyKey of ['', 'a b', 'x'.repeat(256)])
      await expect(world.farm.setTime({ value: 600 }, { idempotencyKey })).rejects.toThrow(TypeError);
    expect(world.asked).toEqual([]);
  });

  it.each<Partial<StewardOptions>>([
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    // As programs without types have it from their environment.
    { timeoutMs: '5000' as unknown as number },
    { retries: -1 },
    { retries: 1.5 },
  ])('is not tried within %j', (options) => {
    expect(() => scriptedWorld([set], options)).toThrow(TypeError);
  });
});

describe('a write whose answer is lost', () => {
  it.each<[string, Fate]>([
    ['cut off', cut],
    [
      'half an answer',
      () => new Response('{"success":tr', { headers: { 'content-type': 'application/json' } }),
    ],
    ['502 of a proxy', page(502)],
    ['503 of a proxy', page(503)],
    ['504 of a proxy', page(504)],
    ['522 of Cloudflare', page(522)],
    ['a refusal that may pass', problem(503, 'game-unavailable', { retry: true })],
    [
      'an outcome that is not known yet',
      problem(504, 'outcome-unknown', { applied: null, operationId: '1' }),
    ],
  ])('is sent again under the same key: %s', async (_what, fate) => {
    const world = scriptedWorld([fate, fate, set], { key: 'k' });
    expect(await ended(setTime(world), world)).toMatchObject({ timeOfDay: 1200 });
    const keys = world.asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it('has another key in another call, and that which it is given', async () => {
    const world = scriptedWorld([set]);
    await setTime(world);
    await setTime(world);
    await world.farm.setTime({ value: 600 }, { idempotencyKey: 'mine-1' });
    const keys = world.asked.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine-1');
  });

  it('is in doubt where nothing is heard of it any more', async () => {
    for (const fates of [
      [cut],
      [page(502)],
      [silence],
      [cut, problem(429, 'too-many-requests', { retry: true })],
    ]) {
      const world = scriptedWorld(fates);
      expect(await ended(setTime(world), world)).toMatchObject({ applied: null });
    }
  });

  it('is in doubt where it was, and what is said later is of nothing but the moment', async () => {
    const unknown = problem(504, 'outcome-unknown', { applied: null, operationId: '7' });
    for (const later of [
      problem(429, 'too-many-requests', { retry: true }, { 'retry-after': '60' }),
      problem(401, 'key-ended'),
      cut,
      page(502),
    ]) {
      const world = scriptedWorld([unknown, later]);
      expect(await ended(setTime(world), world)).toMatchObject({ applied: null, operationId: '7' });
    }
  });

  it('is in doubt where the server made a mistake, however far it had come', async () => {
    const world = scriptedWorld([problem(500, 'internal-error')]);
    expect(await ended(setTime(world), world)).toMatchObject({ code: 'internal-error', applied: null });
    const read = scriptedWorld([problem(500, 'internal-error')]);
    expect(await ended(getTime(read), read)).toMatchObject({ applied: undefined });
  });

  it('is in no doubt where it was a dry run, which changes nothing', async () => {
    // Programs without types may have it as text.
    for (const dryRun of [true, 'true' as unknown as boolean])
      for (const fate of [cut, page(502), silence, problem(500, 'internal-error')]) {
        const world = scriptedWorld([fate]);
        const error = await ended(world.farm.deleteFarmhand({ name: 'Bob', dryRun }), world);
        expect(error).toBeInstanceOf(StewardError);
        expect(error).toMatchObject({ applied: undefined });
      }
  });

  it('is in no doubt where something is said of the very deed', async () => {
    const world = scriptedWorld([cut, problem(404, 'player-not-found', { operationId: '7' })]);
    expect(await ended(setTime(world), world)).toMatchObject({ applied: undefined, operationId: '7' });
    const other = scriptedWorld([cut, problem(504, 'command-void', { applied: false, operationId: '7' })]);
    expect(await ended(setTime(other), other)).toMatchObject({ applied: false, code: 'command-void' });
    const refused = scriptedWorld([problem(429, 'too-many-requests', { retry: true })]);
    expect(await ended(setTime(refused), refused)).toMatchObject({ applied: undefined });
  });
});

describe('what is not tried again', () => {
  it.each<[string, Fate]>([
    ['what is void', problem(504, 'command-void', { applied: false, operationId: '1' })],
    ['what was refused', problem(404, 'player-not-found', { operationId: '1' })],
    ['a wrong key', problem(401, 'unauthorized')],
    ['a mistake of the server', problem(500, 'internal-error')],
    ['a page of somebody else', page(200)],
    ['a proxy that does not know the path', page(404)],
    ['a redirect, which would make a read of a write', page(301, { location: 'https://farm.example/time' })],
  ])('%s', async (_what, fate) => {
    const world = scriptedWorld([fate, set]);
    expect(await ended(setTime(world), world)).toBeInstanceOf(StewardError);
    expect(world.asked).toHaveLength(1);
  });
});

describe('tries', () => {
  const times = ({ asked }: ScriptedWorld) => asked.map(({ atMs }) => atMs);

  it('wait ever longer, and end', async () => {
    const world = scriptedWorld([cut], { retries: 6, timeoutMs: 60_000 });
    expect(await ended(getTime(world), world)).toMatchObject({ code: 'network', applied: undefined });
    expect(times(world)).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 11_750]);
  });

  it('wait longer by chance, so that many clients do not come at once', async () => {
    const world = scriptedWorld([cut, cut, set], {}, 0.8);
    await ended(setTime(world), world);
    expect(times(world)).toEqual([0, 450, 1_350]);
  });

  it('wait as long as the server says, by seconds or by a date', async () => {
    const world = scriptedWorld([
      problem(503, 'shutting-down', { retry: true }, { 'retry-after': '5' }),
      set,
    ]);
    await ended(setTime(world), world);
    expect(times(world)).toEqual([0, 5_000]);
    const soon = new Date(Date.now() + 3_600_000).toUTCString();
    const far = scriptedWorld([page(503, { 'retry-after': soon })]);
    const error = await ended(getTime(far), far);
    expect(error).toMatchObject({ code: 'not-steward', status: 503 });
    expect((error as StewardError).retryAfterMs).toBeGreaterThan(3_500_000);
  });

  it.each([
    ['a date, by the clock of who says it', 'Wed, 21 Oct 2015 07:28:07 GMT', 7_000],
    ['a time that is over', 'Wed, 21 Oct 2015 07:27:00 GMT', 0],
    ['no time at all', 'soon', undefined],
    ['no number of seconds', '-5', undefined],
    ['more than there is', 'Infinity', undefined],
  ])('know of %s: %s', async (_what, retryAfter, retryAfterMs) => {
    const date = 'Wed, 21 Oct 2015 07:28:00 GMT';
    const world = scriptedWorld([page(503, { 'retry-after': retryAfter, date })], { retries: 0 });
    expect(await ended(getTime(world), world)).toMatchObject({ retryAfterMs });
  });

  it('wait a little where somebody asks for no wait at all', async () => {
    const world = scriptedWorld([page(503, { 'retry-after': '0' }), set]);
    await ended(setTime(world), world);
    expect(times(world)).toEqual([0, 250]);
  });

  it('end at once where the server asks for more time than there is', async () => {
    const world = scriptedWorld([
      problem(429, 'too-many-requests', { retry: true }, { 'retry-after': '60' }),
    ]);
    expect(await ended(setTime(world), world)).toMatchObject({
      code: 'too-many-requests',
      retryAfterMs: 60_000,
      requestId: 'r-1',
    });
    expect(times(world)).toEqual([0]);
  });

  it('are four more in thirty seconds where nothing is said', async () => {
    const world = scriptedWorld([cut]);
    await ended(getTime(world), world);
    expect(world.asked).toHaveLength(5);
    const silent = scriptedWorld([silence]);
    expect(await ended(getTime(silent), silent)).toMatchObject({
      detail: expect.stringContaining('30000 ms'),
    });
  });

  it.each<[string, string, Partial<StewardOptions>, (world: ScriptedWorld) => Promise<unknown>]>([
    ['for a save', '90000', {}, ({ farm }) => farm.saveGame()],
    ['for a backup before a deletion', '300000', {}, ({ farm }) => farm.deleteFarmhand({ name: 'Bob' })],
    ['for no dry run', '30000', {}, ({ farm }) => farm.deleteFarmhand({ name: 'Bob', dryRun: true })],
    ['only where nothing is said', '5000', { timeoutMs: 5_000 }, ({ farm }) => farm.saveGame()],
  ])('go on for as long as the server may take, %s: %s ms', async (_what, ms, options, ask) => {
    const world = scriptedWorld([silence], options);
    expect(await ended(ask(world), world)).toMatchObject({
      code: 'timeout',
      detail: `No final answer within ${ms} ms`,
    });
  });

  it('tell what the last came to, where the time ends before the next has', async () => {
    const unknown = problem(504, 'outcome-unknown', { applied: null, operationId: '7' });
    const world = scriptedWorld([unknown, silence]);
    expect(await ended(setTime(world), world)).toMatchObject({
      code: 'timeout',
      applied: null,
      operationId: '7',
      cause: { code: 'outcome-unknown' },
    });
  });

  it('are none with `retries: 0`', async () => {
    const world = scriptedWorld([cut, set], { retries: 0 });
    expect(await ended(setTime(world), world)).toMatchObject({ code: 'network' });
  });

  it('end with the time of the call, in the midst of one or between two', async () => {
    const world = scriptedWorld([silence], { timeoutMs: 2_000 });
    expect(await ended(getTime(world), world)).toMatchObject({ code: 'timeout', applied: undefined });
    expect(world.clock.now()).toBeGreaterThanOrEqual(2_000);
    const short = scriptedWorld([cut]);
    const call = short.farm.getTime({}, { timeoutMs: 1_000 });
    expect(await ended(call, short)).toMatchObject({ code: 'network' });
    expect(times(short)).toEqual([0, 250, 750]);
  });

  it('end with the signal, before, in the midst of one or between two', async () => {
    const before = scriptedWorld([set]);
    const signal = AbortSignal.abort('enough');
    const error = await ended(before.farm.setTime({ value: 600 }, { signal }), before);
    expect(error).toMatchObject({ code: 'aborted', applied: false, cause: 'enough' });
    expect(before.asked).toEqual([]);
    for (const fate of [silence, cut]) {
      const world = scriptedWorld([fate]);
      const controller = new AbortController();
      const call = world.farm
        .setTime({ value: 600 }, { signal: controller.signal })
        .catch((reason) => reason);
      await setImmediate();
      controller.abort();
      expect(await call).toMatchObject({ code: 'aborted', applied: null });
      world.clock.advance(60_000);
      await setImmediate();
      expect(world.asked).toHaveLength(1);
    }
  });

  it.each<[string, Fate[], false | null]>([
    ['not made where each was refused', [away], false],
    ['in doubt where one of them was', [cut, away], null],
  ])('that end with the signal between two tries are %s', async (_so, fates, applied) => {
    const world = scriptedWorld(fates);
    const controller = new AbortController();
    const call = world.farm.setTime({ value: 600 }, { signal: controller.signal }).catch((reason) => reason);
    for (let made = 0; made < fates.length; made += 1) {
      world.clock.advance(1_000);
      await setImmediate();
      await setImmediate();
    }
    expect(world.asked).toHaveLength(fates.length);
    controller.abort();
    expect(await call).toMatchObject({ code: 'aborted', applied });
  });
});

describe('an error', () => {
  it('has all that the server said, with ids that keep every digit', async () => {
    const matches = '[{"id":9007199254740993,"idStr":"9007199254740993","name":"Kim"}]';
    const body = `{"code":"ambiguous-name","detail":"two fit","status":409,"requestId":"r-9","operationId":"12","matches":${matches}}`;
    const headers = { 'content-type': 'application/problem+json; charset=utf-8' };
    const world = scriptedWorld([() => new Response(body, { status: 409, headers })]);
    expect(await ended(world.farm.grantAdmin({ name: 'Kim' }), world)).toMatchObject({
      name: 'StewardError',
      message: 'two fit',
      detail: 'two fit',
      code: 'ambiguous-name',
      status: 409,
      operationId: '12',
      requestId: 'r-9',
      problem: { matches: [{ id: 9007199254740993n }] },
    });
  });

  it.each(['{"title":"no"}', '{"code":"E42","title":"no"}', 'null', '[]'])(
    'of a proxy that speaks of problems is none of ours: %s',
    async (body) => {
      const headers = { 'content-type': 'application/problem+json' };
      const world = scriptedWorld([() => new Response(body, { status: 403, headers })]);
      expect(await ended(getTime(world), world)).toMatchObject({ code: 'not-steward', status: 403 });
    },
  );

  it('of a server that cannot be reached says why, as the platform does', async () => {
    const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    for (const [cause, why] of [
      [
        new TypeError('fetch failed', { cause: new Error('self-signed certificate') }),
        'self-signed certificate',
      ],
      [new TypeError('fetch failed', { cause: refused }), 'ECONNREFUSED'],
      [new TypeError('Failed to fetch'), 'Failed to fetch'],
    ] as const) {
      const world = scriptedWorld([() => Promise.reject(cause)], { retries: 0 });
      expect(await ended(getTime(world), world)).toMatchObject({
        detail: `The server cannot be reached at http://farm.example:8080: ${why}`,
        cause,
      });
    }
  });

  it('shows no key, and neither does the farm', async () => {
    const world = scriptedWorld([cut], { key: 's3cret', retries: 0 });
    const { inspect } = await import('node:util');
    const error = await ended(getTime(world), world);
    expect(inspect([error, world.farm], { depth: 9, showHidden: true })).not.toContain('s3cret');
  });
});

describe('an answer', () => {
  it('that says "not now" of the farm is one', async () => {
    const world = scriptedWorld([answers({ ready: false }, 503)]);
    expect(await world.farm.getReadiness()).toEqual({ ready: false });
  });

  it('of text is text', async () => {
    const headers = { 'content-type': 'text/plain; version=0.0.4' };
    const world = scriptedWorld([() => new Response('up 1\n', { headers })]);
    expect(await world.farm.getMetrics()).toBe('up 1\n');
  });
});

it('a redirect of the platform’s own fetch makes no read of a write', async () => {
  const asked: string[] = [];
  const server = createServer(({ method, url }, answer) => {
    asked.push(`${method} ${url}`);
    if (method === 'POST') answer.writeHead(302, { location: '/elsewhere' }).end();
    else answer.writeHead(200, { 'content-type': 'application/json' }).end('{"timeOfDay":600}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const farm = steward({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  await expect(farm.setTime({ value: 600 })).rejects.toMatchObject({
    code: 'not-steward',
    status: 302,
    detail: expect.stringContaining('/elsewhere'),
  });
  expect(asked).toEqual(['POST /time?value=600']);
  server.closeAllConnections();
  server.close();
});

const mebibyte = 1_048_576;

/** Goes on for ever, or until it is told that nobody reads it. */
function endlessBody(chunk: Uint8Array) {
  const cancelled = Promise.withResolvers<void>();
  const pulls = { count: 0 };
  const stream = new ReadableStream({
    pull(controller) {
      pulls.count += 1;
      // A reader without a limit would go on until there is no memory: it is seen to fail before that.
      if (pulls.count > 100) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: () => cancelled.resolve(),
  });
  return { stream, pulls, cancelled: cancelled.promise };
}

const pages = { json: 'application/json', problem: 'application/problem+json', picture: 'image/png' };

it.each([
  ['what was asked for', 'getTime', 200, pages.json, 70],
  ['an error', 'getTime', 400, pages.problem, 70],
  ['a picture', 'getScreenshot', 200, pages.picture, 10],
] as const)(
  'an answer without end, as %s, is read to its limit and given up',
  async (_as, call, status, type, most) => {
    const { stream, pulls, cancelled } = endlessBody(new Uint8Array(mebibyte).fill(0x20));
    const world = scriptedWorld([() => new Response(stream, { status, headers: { 'content-type': type } })]);
    expect(await ended<unknown>(world.farm[call](), world)).toMatchObject({ code: 'not-steward' });
    await cancelled;
    expect(world.asked).toHaveLength(1);
    expect(pulls.count).toBeLessThan(most);
  },
);

it('a picture that stops coming ends with the time of the call', async () => {
  const world = scriptedWorld(
    [() => new Response(new ReadableStream(), { headers: { 'content-type': pages.picture } })],
    { timeoutMs: 5_000 },
  );
  expect(await ended(world.farm.getScreenshot(), world)).toMatchObject({ code: 'timeout' });
  expect(world.asked[0]?.signal.aborted).toBe(true);
});

it('a picture is handed out as the bytes that it is, and one that was cut is asked for again', async () => {
  const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]);
  const headers = { 'content-type': pages.picture };
  const broken = () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
    return new Response(body, { headers });
  };
  const world = scriptedWorld([broken, () => new Response(picture, { headers })]);
  const bytes = await whileTimePasses(world.farm.getScreenshot(), world.clock);
  expect(new Uint8Array(await new Response(bytes).arrayBuffer())).toEqual(picture);
  expect(world.asked).toHaveLength(2);
});

it('where the engine has no streams, an answer is taken as it is handed out', async () => {
  const whole = (): Response =>
    Object.assign(new Response(null, { status: 200, headers: { 'content-type': 'text/plain' } }), {
      text: async () => 'up 1\n',
    });
  expect(await scriptedWorld([whole]).farm.getMetrics()).toBe('up 1\n');
});
