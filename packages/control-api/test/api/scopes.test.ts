import { type Endpoint, isWrite, methodAndPath } from '@steward/shared/api/endpoint';
import { type EndpointId, endpointIds, endpoints } from '@steward/shared/api/endpoints';
import { type ClientMessage, clientMessage, clientMessageScopes } from '@steward/shared/chat/client-messages';
import { chatScopes } from '@steward/shared/chat/rules';
import { enough, isGoodFor, type Needed } from '@steward/shared/scopes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../chat/stage/client.ts';
import { type Bearer, everyKey } from './stage/every-key.ts';
import { openApi, testKey } from './stage/open-api.ts';
import { goodQueries, pathOf } from './stage/operations.ts';

/** One server and one set of keys for all: each request comes from an address of its own, so that no limit answers in its place. */
let api: Awaited<ReturnType<typeof openApi>>;
let bearers: readonly Bearer[];
let socketUrl: string;
let asked = 0;

beforeAll(async () => {
  api = await openApi({ key: testKey, trustedProxies: ['127.0.0.1'] });
  bearers = await everyKey(api, testKey);
  const { port } = await api.listen();
  socketUrl = `ws://127.0.0.1:${port}/ws`;
});

afterAll(() => api[Symbol.asyncDispose]());

function nextAddress(): string {
  asked += 1;
  return `10.0.${asked >> 8}.${asked & 255}`;
}

async function keyFor(name: string, scopes: string, more = ''): Promise<string> {
  const made = await api.ask('POST', `/keys?name=${name}&scopes=${scopes}${more}`);
  return String(made.exact['secret']);
}

interface Request {
  readonly what: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  readonly url: string;
  readonly needed: readonly (Needed | 'public')[];
}

/** Of those without a row anything does. */
const queries: Readonly<Record<string, string>> = {
  ...goodQueries,
  // Of an admin's farmhand more is asked: whether somebody is one must not depend on what came before.
  grantAdmin: '?name=nobody',
  createKey: '?name=another&scopes=read',
  revokeKey: '?name=nobody',
  rotateKey: '?name=nobody',
  deleteWebhook: '?name=nobody',
  createSchedule: '?name=another&action=backup&cron=0+5+*+*+*',
  deleteSchedule: '?name=nobody',
  runSchedule: '?name=nobody',
  resumeWebhook: '?name=nobody',
  testWebhook: '?name=nobody',
};

/** Each endpoint as it is declared; each with HEAD in GET's place; and each with a parameter that asks for more. */
const requests = endpointIds.flatMap((id): Request[] => {
  const endpoint: Endpoint = endpoints[id];
  const { method, path } = methodAndPath(endpoint);
  const url = `${pathOf({ operationId: id, path })}${queries[id] ?? ''}`;
  const plain: Request = { what: id, method, url, needed: [endpoint.scope] };
  const head = { ...plain, what: `${id} (HEAD)`, method: 'HEAD' } as const;
  return [plain, ...(isWrite(endpoint) ? [] : [head]), ...withMore(id, endpoint, plain)];
});

function withMore(id: EndpointId, { query = {} }: Endpoint, plain: Request): Request[] {
  return Object.entries(query).flatMap(([name, { scope, example, kind }]) => {
    if (scope === undefined) return [];
    const value = example ?? (kind.json['type'] === 'boolean' ? 'true' : '1');
    const others = id === 'createSchedule' ? `${queries[id]}&` : '?';
    const url = `${methodAndPath(endpoints[id]).path}${others}${name}=${value}`;
    return [{ ...plain, what: `${id} with ${name}`, url, needed: [...plain.needed, scope] }];
  });
}

/** What the declaration alone says of this request from this bearer: let through, or refused with this. */
function expected({ needed }: Request, { scopes }: Bearer): 'reached' | 401 | 403 {
  const asks = needed.filter((one) => one !== 'public');
  if (asks.length === 0) return 'reached';
  if (scopes === undefined) return 401;
  return asks.every((one) => isGoodFor(scopes, one)) ? 'reached' : 403;
}

/** What says that nobody has got to the endpoint, or not with what it takes. */
const unreached = new Set([
  'unauthorized',
  'insufficient-scope',
  'too-many-requests',
  'not-found',
  'missing-parameter',
  'invalid-parameter',
  'unknown-parameter',
  'conflicting-parameters',
]);

describe('an endpoint', () => {
  it.each(requests)('$what is for those whom its declaration names', async (request) => {
    const seen: Record<string, unknown> = {};
    for (const bearer of bearers) {
      const remoteAddress = nextAddress();
      const answer = await api.ask(request.method, request.url, { key: bearer.key, remoteAddress });
      const { statusCode: status, headers } = answer;
      const code = request.method === 'HEAD' ? undefined : answer.exact?.['code'];
      const isReached = ![401, 403, 405, 429].includes(status) && !unreached.has(String(code));
      seen[bearer.who] = isReached ? 'reached' : status;
      if (status !== 403) continue;
      const lacking = request.needed.find(
        (one) => one !== 'public' && !isGoodFor(bearer.scopes ?? new Set(), one),
      );
      const scope = enough(lacking as Needed).join(' ');
      expect(headers['www-authenticate']).toBe(`Bearer error="insufficient_scope", scope="${scope}"`);
    }
    expect(seen).toEqual(Object.fromEntries(bearers.map((one) => [one.who, expected(request, one)])));
  });
});

it('every operation of the document is among them', () => {
  const there = new Set(requests.map(({ what }) => what));
  const described = Object.values(api.document.paths).flatMap((methods) => Object.values(methods));
  const ids = described.map((operation) => (operation as unknown as { operationId: string }).operationId);
  expect(ids.length).toBeGreaterThan(20);
  expect(ids.filter((id) => !there.has(id))).toEqual([]);
  expect(requests.filter(({ needed }) => needed.length > 1).map(({ what }) => what)).toEqual([
    'changeSettings with allowIpConnections',
    'changeSettings with enforceFarmhandOwnership',
    'changeSettings with adminPlatformIds',
    'createBackup with all',
    'createSchedule with all',
  ]);
});

const messages: Readonly<Record<ClientMessage['type'], { payload?: object; answer: string }>> = {
  auth: { payload: { token: testKey }, answer: 'auth_success' },
  ping: { answer: 'pong' },
  chat_send: { payload: { author: 'Robin', message: 'good morning', id: '7' }, answer: 'chat_sent' },
  resume: { answer: 'resumed' },
  subscribe: { payload: { topics: ['chat'] }, answer: 'subscribed' },
  unsubscribe: { answer: 'unsubscribed' },
};

/** What becomes of a message that comes after the key. */
async function outcomeOf(type: ClientMessage['type'], { key }: Bearer): Promise<string> {
  const client = await Client.open(socketUrl, { headers: { 'x-forwarded-for': nextAddress() } });
  try {
    if (key !== null) {
      client.send({ type: 'auth', payload: { token: key } });
      const { type: answer } = await client.nextOfAny();
      if (answer !== 'auth_success') return `closed with ${(await client.closed).code}`;
    }
    client.send({ type, payload: messages[type].payload });
    const answer = await client.nextOfAny();
    if (answer.type === 'auth_failed') return `closed with ${(await client.closed).code}`;
    const isRefused =
      answer.type === 'chat_sent' && answer.payload.reason?.includes('needs a key with the scope');
    return isRefused === true ? 'refused' : answer.type;
  } finally {
    client.close();
  }
}

describe('/ws', () => {
  it.each(clientMessage.options.map(({ shape }) => shape.type.value))(
    '%s is for those whom its declaration names',
    async (type) => {
      const seen: Record<string, string> = {};
      for (const bearer of bearers) seen[bearer.who] = await outcomeOf(type, bearer);
      const wanted = bearers.map((bearer) => {
        const { who, key, scopes } = bearer;
        // Nobody has authenticated, and this is where they do.
        if (key === null && type === 'auth') return [who, messages.auth.answer];
        if (bearer.hasEnded) return [who, 'closed with 4001'];
        if (scopes === undefined || !isGoodFor(scopes, chatScopes.hear)) return [who, 'closed with 1008'];
        return [who, isGoodFor(scopes, clientMessageScopes[type]) ? messages[type].answer : 'refused'];
      });
      expect(seen).toEqual(Object.fromEntries(wanted));
    },
  );

  it('closes what a key holds open when it is revoked or expires, and what it has begun is told', async () => {
    const soon = new Date(api.clock.date().getTime() + 1_000).toISOString();
    const revoked = await keyFor('to+revoke', 'read,operate');
    const expired = await keyFor('to+expire', 'read', `&expires=${soon}`);
    const open = async (token: string) => {
      const client = await Client.open(socketUrl);
      client.send({ type: 'auth', payload: { token } });
      await client.next('auth_success');
      return client;
    };
    const [first, second] = [await open(revoked), await open(expired)];
    const ended = { code: 4001, reason: 'The key has ended' };
    api.farm.mood = 'claims-and-is-silent';
    const begun = api.ask('POST', '/time?value=1500', { key: revoked });
    await expect.poll(() => api.farm.held).toHaveLength(1);
    await api.ask('DELETE', '/keys?name=to+revoke');
    expect(await first.closed).toEqual(ended);
    api.farm.mood = 'willing';
    api.farm.held.shift()?.();
    expect((await begun).exact).toMatchObject({ success: true, timeOfDay: 1500 });
    expect((await api.ask('GET', '/status', { key: revoked })).statusCode).toBe(401);
    await second.rest();
    api.clock.advance(1_000);
    expect(await second.closed).toEqual(ended);
    expect((await api.ask('GET', '/status', { key: expired })).statusCode).toBe(401);
  });
});

it('what a key did before is not told to another that sends the same idempotency key', async () => {
  const headers = { 'idempotency-key': 'the-same' };
  const ask = async (key: string, url: string) => (await api.ask('POST', url, { key, headers })).exact;
  const [one, other] = [await keyFor('one', 'operate'), await keyFor('other', 'operate')];
  const first = await ask(one, '/time?value=1200');
  expect(await ask(one, '/time?value=1200')).toEqual(first);
  for (const key of [other, testKey]) {
    const own = await ask(key, '/time?value=1300');
    expect(own).toMatchObject({ success: true, timeOfDay: 1300 });
    expect(own['operationId']).not.toBe(first['operationId']);
  }
  expect(await ask(one, '/time?value=1300')).toMatchObject({ code: 'idempotency-key-reused' });
});
