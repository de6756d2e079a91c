import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { keyLimits } from '@steward/shared/api/key-parameters';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { bridgeLimits } from '../../src/game/state/limits.ts';
import { eventually } from '../audit/stage/lines.ts';
import { openApi, type StageOptions, testKey } from './stage/open-api.ts';

type Api = Awaited<ReturnType<typeof openApi>>;

const dayMs = 24 * 60 * 60 * 1_000;

function openKeys(options: StageOptions = {}): Promise<Api> {
  return openApi({ key: testKey, ...options });
}

async function make(api: Api, query: string, headers: Record<string, string> = {}) {
  const { exact } = await api.ask('POST', `/keys?${query}`, { headers });
  expect(exact, String(exact['detail'])).toMatchObject({ success: true });
  const { id } = exact['key'] as { id: string };
  return { id, secret: String(exact['secret']), exact };
}

async function statusWith(api: Api, key: string): Promise<number> {
  return (await api.ask('GET', '/status', { key })).statusCode;
}

async function listed(api: Api, query = ''): Promise<readonly Record<string, unknown>[]> {
  return (await api.ask('GET', `/keys${query}`)).exact['keys'] as Record<string, unknown>[];
}

describe('a key that is made', () => {
  it('is shown once, and what is kept of it does not hold it', async () => {
    using directory = temporaryDirectory();
    const log = new PassThrough();
    const api = await openKeys({ directory: directory.path, log });
    const { id, secret } = await make(api, 'name=status+page&scopes=chat,read,chat', {
      'idempotency-key': 'k-1',
    });
    expect(secret).toMatch(/^stw_[\w-]{43}$/);
    const all = await api.ask('GET', '/keys');
    expect(all.exact).toEqual({
      keys: [
        {
          id,
          name: 'status page',
          scopes: ['read', 'chat'],
          state: 'active',
          createdAt: '2026-11-21T00:00:00.000Z',
        },
      ],
    });
    expect((await api.ask('GET', '/operations')).body).not.toContain(secret);
    expect(await statusWith(api, secret)).toBe(200);
    await api[Symbol.asyncDispose]();
    for (const name of readdirSync(directory.path, { recursive: true, encoding: 'utf8' }))
      if (name.includes('steward'))
        expect(readFileSync(join(directory.path, name)).includes(secret)).toBe(false);
    expect(String(log.read())).not.toContain(secret);
  });

  it('is good for its scopes and for nothing else', async () => {
    await using api = await openKeys();
    const { secret } = await make(api, 'name=bot&scopes=operate');
    const time = await api.ask('POST', '/time?value=700', { key: secret });
    expect(time.exact).toMatchObject({ success: true });
    const status = await api.ask('GET', '/status', { key: secret });
    expect(status.exact).toMatchObject({ status: 403, code: 'insufficient-scope' });
    expect(status.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="read"');
    for (const [method, url] of [
      ['GET', '/keys'],
      ['POST', '/keys?name=more&scopes=admin'],
      ['POST', '/keys/rotate?name=bot'],
      ['DELETE', '/keys?name=bot'],
    ] as const)
      expect((await api.ask(method, url, { key: secret })).statusCode).toBe(403);
  });

  it.each([
    ['3d', '2026-11-24T00:00:00.000Z'],
    ['12h', '2026-11-21T12:00:00.000Z'],
    ['2026-11-23', '2026-11-23T00:00:00.000Z'],
    ['2026-11-21T00:00:00.001Z', '2026-11-21T00:00:00.001Z'],
  ])('with expires=%s ends at %s', async (expires, expiresAt) => {
    await using api = await openKeys();
    const { exact, secret } = await make(api, `name=bot&scopes=read&expires=${expires}`);
    expect(exact).toMatchObject({ key: { expiresAt } });
    const inMs = Date.parse(expiresAt) - api.clock.date().getTime();
    api.clock.advance(inMs - 1);
    expect(await statusWith(api, secret)).toBe(200);
    api.clock.advance(1);
    expect(await statusWith(api, secret)).toBe(401);
  });

  it.each([
    ['name=bot&scopes=read&expires=2026-11-20', 'expires is 2026-11-20T00:00:00.000Z, which has passed'],
    ['name=bot&scopes=read&expires=2026-11-21T00:00:00Z', 'which has passed'],
    ['name=bot&scopes=read&expires=tomorrow', 'such as 30d or 12h'],
    ['name=bot&scopes=read,write', 'names "write", which is not a scope'],
    ['name=Owner&scopes=read', 'is a reserved name'],
    ['name=schedule&scopes=read', 'is a reserved name'],
    ['name=several&scopes=read', 'is a reserved name'],
    ['name=stw_x&scopes=read', 'a name is not secret'],
    ['name=bot%E2%80%AE&scopes=read', 'is not printable'],
    ['name=+bot&scopes=read', 'starts or ends with a space'],
    [`name=${'x'.repeat(65)}&scopes=read`, 'is too long'],
  ])('is refused with %s', async (query, words) => {
    await using api = await openKeys();
    const { exact } = await api.ask('POST', `/keys?${query}`);
    expect(exact).toMatchObject({ status: 400, code: 'invalid-parameter' });
    expect(exact['detail']).toContain(words);
    expect(await listed(api)).toEqual([]);
  });

  it('has its name alone, in any case, until it ends', async () => {
    await using api = await openKeys();
    const { id } = await make(api, 'name=Bot&scopes=read');
    const again = await api.ask('POST', '/keys?name=bot&scopes=read');
    expect(again.exact).toMatchObject({ status: 409, code: 'key-name-taken' });
    expect(again.exact['detail']).toContain(id);
    await api.ask('DELETE', '/keys?name=BOT');
    await make(api, 'name=bot&scopes=read&expires=1h');
    api.clock.advance(dayMs);
    await make(api, 'name=bot&scopes=read');
    expect((await listed(api, '?ended=true')).map(({ state }) => state)).toEqual([
      'active',
      'expired',
      'revoked',
    ]);
  });

  it('is found in the audit by its name, however many characters that has', async () => {
    await using api = await openKeys();
    const name = encodeURIComponent('🐔'.repeat(keyLimits.nameCharacters));
    const { secret } = await make(api, `name=${name}&scopes=operate`);
    await api.ask('POST', '/time?value=700', { key: secret });
    const { exact } = await api.ask('GET', `/audit?actor=${name}`);
    expect(exact['lines']).toMatchObject([{ action: 'setTime' }]);
  });

  it('is one of a thousand at the most', async () => {
    const leftKeys = Array.from({ length: keyLimits.keys }, (_, index) => ({
      name: `key ${index}`,
      scopes: ['read'] as const,
    }));
    await using api = await openKeys({ leftKeys });
    const refused = await api.ask('POST', '/keys?name=bot&scopes=read');
    expect(refused.exact).toMatchObject({ status: 409, code: 'too-many-keys' });
    await api.ask('DELETE', '/keys?name=key+7');
    await make(api, 'name=bot&scopes=read');
  });

  it('needs API_KEY, and without it the answer says what to do; revoking does not', async () => {
    await using api = await openApi({ leftKeys: [{ name: 'bot', scopes: ['read'] }] });
    for (const url of ['/keys?name=status&scopes=read', '/keys/rotate?name=bot']) {
      const { exact } = await api.ask('POST', url);
      expect(exact).toMatchObject({ status: 409, code: 'keys-need-api-key' });
      expect(exact['detail']).toContain('openssl rand -base64 32');
    }
    expect((await api.ask('DELETE', '/keys?name=bot')).exact).toMatchObject({ success: true });
  });
});

describe('asked again under its Idempotency-Key', () => {
  it('a key is the same, and its secret was shown, over a restart too; the owner makes another', async () => {
    using directory = temporaryDirectory();
    const kept = { directory: directory.path };
    const headers = { 'idempotency-key': 'k-1' };
    const url = '/keys?name=bot&scopes=read&expires=30d';
    const shown = { secretShown: true };
    const api = await openKeys(kept);
    const { id } = await make(api, 'name=bot&scopes=read&expires=30d', headers);
    const again = await api.ask('POST', url, { headers });
    expect(again.exact).toMatchObject({ key: { id, name: 'bot' }, ...shown });
    expect(again.exact).not.toHaveProperty('secret');
    await api[Symbol.asyncDispose]();

    await using later = await openKeys(kept);
    later.clock.advance(40 * 1_000);
    expect((await later.ask('POST', url, { headers })).exact).toEqual({
      ...again.exact,
      requestId: undefined,
    });
    const { exact } = await later.ask('POST', `/keys/rotate?id=${id}`, {
      headers: { 'idempotency-key': 'k-2' },
    });
    expect(await statusWith(later, String(exact['secret']))).toBe(200);
    const rotated = await later.ask('POST', `/keys/rotate?id=${id}`, {
      headers: { 'idempotency-key': 'k-2' },
    });
    expect(rotated.exact).toMatchObject({ operationId: exact['operationId'], ...shown });
    expect((await later.ask('POST', '/keys?name=other&scopes=read', { headers })).exact).toMatchObject({
      code: 'idempotency-key-reused',
    });
  });

  it('two at once are one, and one of them is shown the secret', async () => {
    await using api = await openKeys();
    const headers = { 'idempotency-key': 'k-1' };
    const both = await Promise.all(
      [1, 2].map(() => api.ask('POST', '/keys?name=bot&scopes=read', { headers })),
    );
    expect(both.filter(({ exact }) => 'secret' in exact)).toHaveLength(1);
    expect(both.filter(({ exact }) => exact['secretShown'] === true)).toHaveLength(1);
    expect(await listed(api)).toHaveLength(1);
  });

  it('by another key it is another request', async () => {
    await using api = await openKeys();
    const { secret } = await make(api, 'name=helper&scopes=admin');
    const headers = { 'idempotency-key': 'k-1' };
    await make(api, 'name=bot&scopes=read', headers);
    const other = await api.ask('POST', '/keys?name=other&scopes=read', { headers, key: secret });
    expect(other.exact).toMatchObject({ success: true, key: { name: 'other' } });
  });
});

describe('a key that is rotated', () => {
  it.each([
    ['', 60 * 60 * 1_000],
    ['&graceSeconds=5', 5_000],
  ])('with "%s" opens by the secret before for %i ms', async (grace, ms) => {
    await using api = await openKeys();
    const { id, secret: before } = await make(api, 'name=bot&scopes=read');
    const { exact } = await api.ask('POST', `/keys/rotate?name=bot${grace}`);
    const now = String(exact['secret']);
    expect(exact).toMatchObject({
      key: { id, oldSecretUntil: new Date(Date.UTC(2026, 10, 21) + ms).toISOString() },
    });
    api.clock.advance(ms - 1);
    expect([await statusWith(api, before), await statusWith(api, now)]).toEqual([200, 200]);
    api.clock.advance(1);
    expect([await statusWith(api, before), await statusWith(api, now)]).toEqual([401, 200]);
    expect((await listed(api))[0]).not.toHaveProperty('oldSecretUntil');
  });

  it('again ends the secret before the last, and without a grace the last as well', async () => {
    await using api = await openKeys();
    const { secret: first } = await make(api, 'name=bot&scopes=read');
    const second = String((await api.ask('POST', '/keys/rotate?name=bot')).exact['secret']);
    const third = String((await api.ask('POST', '/keys/rotate?name=bot')).exact['secret']);
    const statuses = async () => Promise.all([first, second, third].map((each) => statusWith(api, each)));
    expect(await statuses()).toEqual([401, 200, 200]);
    await api.ask('POST', '/keys/rotate?name=bot&graceSeconds=0');
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  it('has old secrets that are no guess, however often they come, and of each key the last over a restart too', async () => {
    using directory = temporaryDirectory();
    const api = await openKeys({ directory: directory.path });
    const old: Record<string, string> = {};
    for (const name of ['without grace', 'after grace', 'revoked']) {
      const query = `name=${encodeURIComponent(name)}`;
      const { secret } = await make(api, `${query}&scopes=read`);
      old[`${name}, first`] = secret;
      const rotated = await api.ask('POST', `/keys/rotate?${query}`);
      old[name] = String(rotated.exact['secret']);
      await api.ask('POST', `/keys/rotate?${query}&graceSeconds=${name === 'without grace' ? 0 : 60}`);
    }
    await api.ask('DELETE', '/keys?name=revoked');
    api.clock.advance(60_000);
    const refusalsBy = async (by: Api, secrets: readonly string[]) => {
      const details = new Set<unknown>();
      for (let tried = 0; tried < 12; tried += 1)
        for (const key of secrets) {
          const { exact } = await by.ask('GET', '/status', { key });
          expect(exact).toMatchObject({ status: 401, code: 'key-ended' });
          details.add(exact['detail']);
        }
      expect(await statusWith(by, 'wrong')).toBe(401);
      return [...details];
    };
    const details = [
      'The key "without grace" was rotated, and this is an old secret that no longer works',
      'The key "after grace" was rotated, and this is an old secret that no longer works',
      'The key "revoked" is revoked since 2026-11-21T00:00:00.000Z',
    ];
    expect(await refusalsBy(api, Object.values(old))).toEqual(details);
    expect((await listed(api)).filter((key) => 'oldSecretUntil' in key)).toEqual([]);
    await api[Symbol.asyncDispose]();
    await using later = await openKeys({ directory: directory.path });
    const last = ['without grace', 'after grace', 'revoked'].map((name) => old[name] ?? '');
    expect(await refusalsBy(later, last)).toEqual(details);
  });

  it('still expires when it would have', async () => {
    await using api = await openKeys();
    const { secret } = await make(api, 'name=bot&scopes=read&expires=1h');
    await api.ask('POST', `/keys/rotate?name=bot&graceSeconds=${keyLimits.longestGraceSeconds}`);
    api.clock.advance(60 * 60 * 1_000);
    expect(await statusWith(api, secret)).toBe(401);
  });
});

describe('a key that ends', () => {
  it('is told from a wrong one, and cannot be found any more', async () => {
    await using api = await openKeys();
    const { id, secret } = await make(api, 'name=bot&scopes=read');
    await api.ask('DELETE', `/keys?id=${id}`);
    const refused = await api.ask('GET', '/status', { key: secret });
    expect(refused.exact).toMatchObject({
      status: 401,
      code: 'key-ended',
      detail: 'The key "bot" is revoked since 2026-11-21T00:00:00.000Z',
    });
    expect(refused.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    for (const which of [`id=${id}`, 'name=bot', 'id=key_000000000000']) {
      const gone = await api.ask('DELETE', `/keys?${which}`);
      expect(gone.exact).toMatchObject({ status: 404, code: 'key-not-found' });
      expect(gone.exact['detail']).toContain('GET /keys');
    }
  });

  it('is looked for by no secret, which the record would have then', async () => {
    await using api = await openKeys();
    const { secret } = await make(api, 'name=bot&scopes=read');
    for (const [method, url] of [
      ['DELETE', '/keys'],
      ['POST', '/keys/rotate'],
    ] as const) {
      const { exact } = await api.ask(method, `${url}?name=${secret}`);
      expect(exact).toMatchObject({ status: 400, code: 'invalid-parameter' });
    }
    expect((await api.ask('GET', '/audit')).body).not.toContain(secret.slice(0, 20));
  });

  it('is taken back though as many commands wait for the game as may', async () => {
    await using api = await openKeys();
    const { secret } = await make(api, 'name=bot&scopes=operate');
    api.farm.mood = 'claims-and-is-silent';
    const asked = Array.from({ length: bridgeLimits.commandsInHand }, () =>
      api.ask('POST', '/time?value=700', { key: secret }),
    );
    const waiting = () => api.bridge.operations.list(1_000)?.filter(({ state }) => state !== 'applied');
    await expect.poll(waiting).toHaveLength(bridgeLimits.commandsInHand);
    const more = await api.ask('POST', '/time?value=700', { key: secret });
    expect(more.exact).toMatchObject({ code: 'game-unavailable' });
    expect((await api.ask('DELETE', '/keys?name=bot')).exact).toMatchObject({ success: true });
    api.clock.advance(60_000);
    expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual(asked.map(() => 504));
  });

  it('is no guess, however often it comes: others at its address are let in', async () => {
    await using api = await openKeys();
    const { secret } = await make(api, 'name=bot&scopes=read');
    await api.ask('DELETE', '/keys?name=bot');
    for (let tried = 0; tried < 12; tried += 1) expect(await statusWith(api, secret)).toBe(401);
    expect(await statusWith(api, 'wrong')).toBe(401);
    await eventually(api, 'action=authenticate', [{ outcome: 'denied', actor: 'nobody' }]);
  });

  it('while its request runs leaves it to be answered, and the next is refused', async () => {
    await using api = await openKeys();
    const { secret } = await make(api, 'name=bot&scopes=operate');
    const asking = api.ask('POST', '/time?value=700', { key: secret });
    const revoking = api.ask('DELETE', '/keys?name=bot');
    const [asked, revoked] = await Promise.all([asking, revoking]);
    expect([asked.statusCode, revoked.statusCode]).toEqual([200, 200]);
    expect((await api.ask('GET', `/operations/${asked.exact['operationId']}`)).exact).toMatchObject({
      state: 'applied',
    });
    expect((await api.ask('POST', '/time?value=800', { key: secret })).statusCode).toBe(401);
  });
});

it('when a key was used last is known to the minute, over a restart too', async () => {
  using directory = temporaryDirectory();
  const kept = { directory: directory.path, leftKeys: [{ name: 'bot', scopes: ['read'] }] } as const;
  const api = await openKeys(kept);
  const used = async (of: Api) => (await listed(of))[0]?.['lastUsedAt'];
  expect(await used(api)).toBeUndefined();
  await statusWith(api, api.secretOf('bot'));
  expect(await used(api)).toBe('2026-11-21T00:00:00.000Z');
  api.clock.advance(59_999);
  await statusWith(api, api.secretOf('bot'));
  expect(await used(api)).toBe('2026-11-21T00:00:00.000Z');
  api.clock.advance(1);
  await statusWith(api, api.secretOf('bot'));
  expect(await used(api)).toBe('2026-11-21T00:01:00.000Z');
  await api[Symbol.asyncDispose]();
  await using later = await openKeys({ directory: directory.path });
  expect(await used(later)).toBe('2026-11-21T00:01:00.000Z');
});

it('how many keys there are is in the metrics', async () => {
  await using api = await openKeys();
  await make(api, 'name=bot&scopes=read');
  await make(api, 'name=page&scopes=read');
  await api.ask('DELETE', '/keys?name=page');
  const { body } = await api.ask('GET', '/metrics');
  expect(body).toContain('steward_keys{state="active"} 1');
  expect(body).toContain('steward_keys{state="revoked"} 1');
  expect(body).toContain('steward_keys{state="expired"} 0');
});

it('of those that have ended the last thousand are known', async () => {
  const leftKeys = Array.from({ length: 1_000 }, (_, index) => ({
    name: `key ${index}`,
    scopes: ['read'] as const,
    ended: 'revoked' as const,
    endedAt: index,
  }));
  await using api = await openKeys({ leftKeys });
  await make(api, 'name=bot&scopes=read');
  await api.ask('DELETE', '/keys?name=bot');
  const names = (await listed(api, '?ended=true')).map(({ name }) => name);
  expect(names).toHaveLength(1_000);
  expect(names).toContain('bot');
  expect(names).not.toContain('key 0');
});
