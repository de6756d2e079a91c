import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '@steward/service-kit/clock';
import { ask } from '@steward/service-kit/http/asking';
import { Secret } from '@steward/service-kit/secret';
import { Problem } from '@steward/shared/problems/problem';
import { describe, expect, it, onTestFinished } from 'vitest';
import { breakerLimits } from '../../src/sidecar/circuit-breaker.ts';
import { sidecarLimits } from '../../src/sidecar/limits.ts';
import { SidecarClient } from '../../src/sidecar/sidecar-client.ts';

/**
 * Pauses take next to no time, and `now` goes on by what was waited for. Deadlines pass only where `isBusy` says that nothing
 * is under way, or the test wants them to: a loaded machine is not a slow sidecar.
 */
class HastyClock implements Clock {
  readonly waited: number[] = [];
  readonly #isBusy: () => boolean;
  readonly #lateMs: number;
  #now = 0;

  /** `lateMs`: how much later than asked for everything comes due. */
  constructor(isBusy: () => boolean, lateMs: number) {
    this.#isBusy = isBusy;
    this.#lateMs = lateMs;
  }

  now = () => this.#now;
  date = () => new Date(this.#now);

  after(ms: number, action: () => void) {
    const due = () => {
      if (this.#isBusy()) {
        timer = setTimeout(due, ms / 100);
        return;
      }
      this.waited.push(ms);
      this.#now += ms + this.#lateMs;
      action();
    };
    let timer = setTimeout(due, ms / 100);
    return { cancel: () => clearTimeout(timer) };
  }
}

interface StageOptions {
  readonly secret?: string;
  readonly deadlinesPass?: boolean;
  readonly lateMs?: number;
  readonly ask?: typeof ask;
}

async function stage(
  answer: RequestListener,
  { secret, deadlinesPass = false, lateMs = 0, ask: asks = ask }: StageOptions = {},
) {
  let underWay = 0;
  const asked: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
    asked.push(request);
    sockets.add(request.socket);
    request.resume();
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = new HastyClock(() => !deadlinesPass && underWay > 0, lateMs);
  const url = new URL(`${origin}/behind`);
  const client = new SidecarClient({
    url,
    clock,
    retryClock: clock,
    random: () => 0,
    secret: secret === undefined ? undefined : new Secret(secret),
    ask(...asked) {
      underWay += 1;
      return asks(...asked);
    },
  });
  client.onAttempt(() => {
    underWay -= 1;
  });
  onTestFinished(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, clock, asked, sockets, origin, server };
}

function json(status: number, body: unknown, headers = {}): RequestListener {
  return (_request, response) => response.writeHead(status, headers).end(JSON.stringify(body));
}

function inTurn(...answers: RequestListener[]): RequestListener {
  let turn = 0;
  return (request, response) => {
    answers[Math.min(turn, answers.length - 1)]?.(request, response);
    turn += 1;
  };
}

const cut: RequestListener = ({ socket }) => socket.destroy();
const silence: RequestListener = () => {};
const ticket = { app_ticket: 'dGlja2V0', platform_id: '76561198000000001' };
const lobby = {
  state: 'open',
  lobby_id: '109775240917155841',
  visibility: 'public',
  max_members: 4,
  metadata: {},
  created: 1,
  since: '2026-11-21T06:30:00.000Z',
};
const loggingIn = new Problem('platform-unavailable', 'A login is under way. Wait', {
  state: 'logging-in',
  reason: 'A login is under way',
  remedy: 'Wait',
  retry: true,
}).details();

it('asks at the path below the base URL, with the secret, and keeps the connection', async () => {
  const { client, asked, sockets } = await stage(json(200, ticket), { secret: 's3cret' });
  expect(await client.appTicket()).toEqual({ ok: true, value: ticket });
  // The connection is free again a moment after the last byte of the answer.
  await new Promise((resolve) => setImmediate(resolve));
  await client.appTicket();
  expect(asked.map(({ url }) => url)).toEqual(Array(2).fill('/behind/platform/app-ticket'));
  expect(asked[0]?.headers.authorization).toBe('Bearer s3cret');
  expect(sockets.size).toBe(1);
});

it('hears all else of a newer sidecar, whose session or lobby is in a state that is not known here', async () => {
  const { since } = lobby;
  const session = { state: 'dreaming', reason: 'It dreams', remedy: 'Wake it', since };
  const health = { status: 'ok', logged_in: false, timestamp: since, session };
  const { client } = await stage(inTurn(json(200, health), json(200, { ...lobby, state: 'lent' })));
  expect(await client.health()).toEqual({
    ok: true,
    value: { ...health, session: { ...session, state: 'retrying' } },
  });
  expect(await client.lobby()).toEqual({ ok: true, value: { ...lobby, state: 'lost' } });
});

it('says what the lobby shall be as JSON', async () => {
  let body = '';
  const { client, asked } = await stage((request, response) => {
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => json(200, lobby)(request, response));
  });
  expect(await client.putLobby({ game_server_id: '90071992547409921' })).toMatchObject({ ok: true });
  expect(asked[0]).toMatchObject({ method: 'PUT', url: '/behind/platform/lobby' });
  expect(asked[0]?.headers['content-type']).toBe('application/json');
  expect(JSON.parse(body)).toEqual({ game_server_id: '90071992547409921' });
});

describe('asks again', () => {
  it.each([
    ['a cut connection', cut],
    ['an error that is none of the sidecar’s', json(502, 'Bad Gateway')],
    ['something that is no answer', json(200, '<html>')],
  ])('after %s, a little later each time', async (_what, broken) => {
    const { client, clock } = await stage(inTurn(broken, broken, json(200, lobby)));
    expect(await client.lobby()).toMatchObject({ ok: true });
    expect(clock.waited).toEqual([200, 400]);
  });

  it('for a ticket, when the sidecar says that it will soon have one', async () => {
    const { client, clock } = await stage(
      inTurn(json(503, loggingIn, { 'retry-after': '2' }), json(200, ticket)),
    );
    expect(await client.appTicket()).toMatchObject({ ok: true });
    expect(clock.waited).toEqual([2_000]);
  });

  it('not longer than a game waits for its ticket', async () => {
    const { client, clock, asked } = await stage(json(503, loggingIn, { 'retry-after': '3' }));
    const { ok } = await client.appTicket();
    expect(ok).toBe(false);
    expect(asked).toHaveLength(3);
    expect(clock.now()).toBeLessThan(sidecarLimits.ticketMs);
  });

  it('not where the pause before it ended after that, on a busy machine', async () => {
    const { client, asked } = await stage(cut, { lateMs: sidecarLimits.lookMs });
    expect(await client.lobby()).toMatchObject({ ok: false, refusal: { kind: 'unreachable' } });
    expect(asked).toHaveLength(1);
  });

  it('not once it is closed', async () => {
    const { client, asked } = await stage(inTurn(cut, json(200, lobby)));
    // During the pause.
    client.onAttempt(() => setImmediate(() => client.close()));
    expect(await client.lobby()).toMatchObject({ ok: false });
    expect(asked).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it('is passed on with its reason, its remedy and when to ask again', async () => {
    const { client } = await stage(json(503, loggingIn, { 'retry-after': '15' }));
    expect(await client.appTicket()).toEqual({
      ok: false,
      refusal: {
        kind: 'refused',
        reason: 'A login is under way',
        remedy: 'Wait',
        retryAfterMs: 15_000,
      },
    });
  });

  it('of our secret says which variable to fix, and never what is in it', async () => {
    const wrong = new Problem('unauthorized', 'The secret is wrong').details();
    const { client } = await stage(json(401, wrong), { secret: 's3cret' });
    const answer = await client.lobby();
    expect(answer).toMatchObject({ ok: false, refusal: { kind: 'secret' } });
    expect(JSON.stringify(answer)).toContain('PLATFORM_AUTH_SECRET');
    expect(JSON.stringify(answer)).not.toContain('s3cret');
  });

  it('is none of the breaker’s business', async () => {
    const { client } = await stage(json(503, loggingIn));
    for (let time = 0; time <= breakerLimits.failures; time += 1) await client.lobby();
    expect(client.breaker.state).toBe('closed');
  });
});

describe('says why there is no answer', () => {
  it('where nobody listens', async () => {
    const { client, server, origin } = await stage(silence);
    server.close();
    expect(await client.health()).toMatchObject({
      ok: false,
      refusal: {
        kind: 'unreachable',
        reason: expect.stringMatching(
          new RegExp(`^The sidecar at ${origin} does not answer: .*ECONNREFUSED`),
        ),
        remedy: expect.stringContaining('PLATFORM_AUTH_URL'),
      },
    });
  });

  it('where its host has two addresses, and nobody listens at either', async () => {
    const refusals = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:3001`));
    // Node has no word for both.
    const refused = Object.assign(new AggregateError(refusals), { code: 'ECONNREFUSED' });
    const { client, origin } = await stage(silence, { ask: () => Promise.reject(refused) });
    expect(await client.health()).toMatchObject({
      ok: false,
      refusal: { reason: `The sidecar at ${origin} does not answer: connect ECONNREFUSED ::1:3001` },
    });
  });

  it('when it takes longer than it may', async () => {
    const { client, clock } = await stage(silence, { deadlinesPass: true });
    const { ok, ...rest } = await client.health();
    expect(ok).toBe(false);
    expect(JSON.stringify(rest)).toMatch(/no answer within \d+ s/);
    expect(clock.now()).toBeLessThanOrEqual(sidecarLimits.lookMs);
  });

  it.each([
    ['of another form', json(200, { hello: 'world' }), 'is not a sidecar of this version'],
    ['without end', endless, 'longer than'],
    ['that leads elsewhere', json(302, '', { location: 'http://127.0.0.1:9/' }), 'redirect'],
  ])('when it is one %s', async (_what, answer, reason) => {
    const { client } = await stage(answer);
    expect(await client.health()).toMatchObject({
      ok: false,
      refusal: { kind: 'unreachable', reason: expect.stringContaining(reason) },
    });
  });
});

it('after many failures asks nobody for a while, then one, and all again once that is answered', async () => {
  let isDown = true;
  const { client, clock, asked } = await stage((request, response) =>
    isDown ? cut(request, response) : json(200, ticket)(request, response),
  );
  await client.lobby();
  const before = clock.now();
  await client.lobby();
  expect(client.breaker.state).toBe('open');
  // The last of them came after the first pause, and opened it again.
  expect(asked).toHaveLength(breakerLimits.failures + 1);
  expect(client.breaker.opened).toBe(2);
  expect(clock.now() - before).toBeGreaterThanOrEqual(breakerLimits.pauses.firstMs);
  isDown = false;
  expect(await client.appTicket()).toMatchObject({ ok: true });
  expect(client.breaker.state).toBe('closed');
});

it('ends what is under way when it is closed', async () => {
  const { client } = await stage(silence);
  const health = client.health();
  client.close();
  expect(await health).toMatchObject({ ok: false, refusal: { kind: 'unreachable' } });
});

function endless(_request: IncomingMessage, response: Parameters<RequestListener>[1]): void {
  response.writeHead(200);
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
  };
  response.on('drain', more);
  more();
}
