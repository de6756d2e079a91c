import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { writeLimit } from '../../../src/http/guards/limits.ts';
import { ids } from '../../api/stage/full-farm.ts';
import { openApi, testKey } from '../../api/stage/open-api.ts';
import { settled } from '../../game/stage/stage.ts';

const secure = { key: testKey };

/** What docs/migrating.md says of requests and answers, by the row's left side. */
export const httpDifferences: Readonly<Record<string, () => Promise<void>>> = {
  async '200 with `success: false` when something failed'() {
    await using api = await openApi();
    const failed = async (status: number, method: 'POST' | 'DELETE', url: string) => {
      const { statusCode, exact } = await api.ask(method, url);
      expect([url, statusCode]).toEqual([url, status]);
      expect(exact).toMatchObject({ success: false, error: expect.any(String) });
    };
    await failed(400, 'POST', '/time?value=9');
    await failed(404, 'DELETE', '/farmhands?name=Nobody');
    await failed(409, 'DELETE', '/farmhands?name=Ann');
    api.farm.mood = { refuses: 'busy', message: 'not now' };
    await failed(503, 'POST', '/time?value=900');
    api.farm.mood = 'claims-and-is-silent';
    const late = failed(504, 'POST', '/time?value=900');
    await settled();
    await settled();
    api.clock.advance(60_000);
    await late;
  },

  async 'ids as bare numbers, which JavaScript rounds'() {
    await using api = await openApi();
    expect((await api.ask('GET', '/farmhands')).body).toContain(`"id":${ids.ann},"idStr":"${ids.ann}"`);
  },

  async 'the right key missing or wrong: 401 with `error`'() {
    await using api = await openApi(secure);
    for (const key of [null, ...Array(9).fill('wrong')]) {
      const { statusCode, exact } = await api.ask('GET', '/status', { key });
      expect([statusCode, exact]).toMatchObject([401, { success: false, error: expect.any(String) }]);
    }
    await api.ask('GET', '/status', { key: 'wrong' });
    expect((await api.ask('GET', '/status', { key: 'wrong' })).statusCode).toBe(429);
  },

  async '404 for a known path with the wrong method, 405 without `Allow`'() {
    await using api = await openApi();
    const { statusCode, headers } = await api.ask('PUT', '/time');
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  },

  async 'parameters in any case, a number with blanks or a sign'() {
    await using api = await openApi();
    for (const query of ['Value=900', 'value=%20900', 'value=%2B900', 'value=900&more=1'])
      expect([query, (await api.ask('POST', `/time?${query}`)).statusCode]).toEqual([query, 400]);
    expect((await api.ask('POST', '/time?value=1300')).statusCode).toBe(200);
  },

  async 'the first of several players with a name'() {
    await using api = await openApi();
    const { statusCode, exact } = await api.ask('DELETE', '/farmhands?name=kim');
    expect([statusCode, exact['matches']]).toMatchObject([409, { length: 2 }]);
  },

  async 'times with seven digits after the second'() {
    await using api = await openApi();
    expect((await api.ask('GET', '/status')).exact['lastUpdated']).toMatch(/:\d\d\.\d{3}Z$/);
  },

  async '`steamInviteCode` first in the answer’s order'() {
    await using api = await openApi();
    const names = Object.keys((await api.ask('GET', '/status')).exact);
    expect(names).toEqual(expect.arrayContaining(['playerCount', 'gogInviteCode', 'farmName', 'version']));
    expect(names[0]).not.toBe('steamInviteCode');
  },

  async '`/stats`, `/wait/*`, `/diagnostics/state` without a key'() {
    await using api = await openApi(secure);
    expect((await api.ask('GET', '/stats', { key: null })).statusCode).toBe(401);
    expect((await api.ask('GET', '/stats')).statusCode).toBe(200);
    for (const path of ['/wait/status', '/wait/players', '/wait/health', '/diagnostics/state'])
      expect([path, (await api.app.inject(asked(path))).statusCode]).toEqual([path, 404]);
  },

  async '`/swagger/v1/swagger.json`'() {
    await using api = await openApi();
    expect((await api.app.inject('/swagger/v1/swagger.json')).statusCode).toBe(404);
    expect((await api.app.inject('/api-spec/v1/api-spec.json')).json().openapi).toMatch(/^3\.1/);
  },

  async '`Access-Control-Allow-Origin: *`'() {
    await using api = await openApi({ ...secure, allowedOrigins: ['https://panel.example'] });
    const allowed = async (origin: string) =>
      (await api.ask('GET', '/status', { headers: { origin } })).headers['access-control-allow-origin'];
    expect(await allowed('https://panel.example')).toBe('https://panel.example');
    expect(await allowed('https://evil.example')).toBeUndefined();
  },

  async '`POST` without a length is refused with 411'() {
    await using api = await openApi(secure);
    using client = await api.listen();
    const socket = connect(client.port, '127.0.0.1');
    const head = [`host: 127.0.0.1:${client.port}`, `authorization: Bearer ${testKey}`, 'connection: close'];
    socket.write(['POST /time?value=1300 HTTP/1.1', ...head, '', ''].join('\r\n'));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  },

  async 'any number of writes'() {
    await using api = await openApi({ writesPerMinute: writeLimit.attempts });
    for (let written = 0; written < 120; written += 1)
      expect((await api.ask('POST', '/time?value=99')).statusCode).toBe(400);
    const { statusCode, headers } = await api.ask('POST', '/time?value=1300');
    expect([statusCode, headers['retry-after']]).toEqual([429, '60']);
  },

  async 'a body is ignored'() {
    await using api = await openApi();
    for (const [type, body] of [
      ['application/json', '{"value":1300}'],
      ['application/x-www-form-urlencoded', 'value=1300'],
      ['text/plain', 'noon'],
    ] as const) {
      const asked = { headers: { 'content-type': type }, body };
      expect([type, (await api.ask('POST', '/time?value=1300', asked)).statusCode]).toEqual([type, 400]);
    }
  },

  async 'an empty value counts as none'() {
    await using api = await openApi();
    const query = `name=&playerId=${ids.ann}`;
    expect((await api.ask('POST', `/roles/admin?${query}`)).statusCode).toBe(400);
    expect((await api.ask('POST', `/roles/admin?playerId=${ids.ann}`)).statusCode).toBe(200);
  },

  async 'without a key set, pages of every site are answered'() {
    await using api = await openApi({
      allowedOrigins: ['https://panel.example'],
      allowedHosts: ['farm.example'],
    });
    const status = async (host: string, origin: string) =>
      (await api.ask('GET', '/status', { headers: { host, origin } })).statusCode;
    expect(await status('127.0.0.1:8080', 'https://evil.example')).toBe(403);
    expect(await status('127.0.0.1:8080', 'https://panel.example')).toBe(200);
    expect(await status('127.0.0.1:8080', 'http://127.0.0.1:8080')).toBe(200);
    expect(await status('farm.example', 'http://farm.example')).toBe(200);
    expect(await status('rebound.example', 'http://rebound.example')).toBe(403);
  },

  async 'a browser’s preflight (`OPTIONS`) is 401 or 405'() {
    await using api = await openApi({ ...secure, allowedOrigins: ['https://panel.example'] });
    const preflight = { origin: 'https://panel.example', 'access-control-request-method': 'POST' };
    const { statusCode, headers } = await api.app.inject({
      method: 'OPTIONS',
      url: '/time',
      headers: preflight,
    });
    expect([statusCode, headers['access-control-allow-headers']]).toEqual([
      204,
      expect.stringContaining('authorization'),
    ]);
  },

  async '`application/json`, for errors too'() {
    await using api = await openApi();
    const type = async (path: string) => (await api.ask('GET', path)).headers['content-type'];
    expect(await type('/status')).toBe('application/json; charset=utf-8');
    expect(await type('/status/')).toMatch(/^application\/problem\+json/);
  },

  async '`path` in the body of a 404'() {
    await using api = await openApi();
    const { exact } = await api.ask('GET', '/no-such-path');
    expect(exact).not.toHaveProperty('path');
    expect(exact['detail']).toContain('/no-such-path');
  },

  async '`version` and `lastUpdated` change every second'() {
    await using api = await openApi();
    const { exact: before } = await api.ask('GET', '/status');
    api.clock.advance(1_500);
    const { exact: after, headers } = await api.ask('GET', '/status');
    expect(after).toEqual(before);
    expect(headers['x-snapshot-age-ms']).toBe('1500');
    await api.ask('POST', '/time?value=1300');
    expect((await api.ask('GET', '/status')).exact['version']).toBeGreaterThan(Number(before['version']));
  },

  async '`X-Snapshot-Age-Ms` on every answer'() {
    await using api = await openApi();
    for (const path of ['/health', '/nothing', '/operations/1'])
      expect((await api.ask('GET', path)).headers).not.toHaveProperty('x-snapshot-age-ms');
    for (const path of ['/status', '/players', '/cabins', '/stats'])
      expect((await api.ask('GET', path)).headers).toHaveProperty('x-snapshot-age-ms');
  },

  async 'any `X-Request-Id` comes back'() {
    await using api = await openApi();
    const given = async (id: string) =>
      (await api.ask('GET', '/status', { headers: { 'x-request-id': id } })).headers['x-request-id'];
    const longest = `a.B_1:-${'x'.repeat(121)}`;
    expect(await given(longest)).toBe(longest);
    for (const id of [`${longest}x`, 'a b', 'é']) expect(await given(id)).not.toBe(id);
  },

  async '`GET /screenshot`'() {
    await using api = await openApi();
    const { headers, body } = await api.ask('GET', '/screenshot');
    expect([headers['content-type'], body.includes('PNG')]).toEqual(['image/png', true]);
  },

  async '`/newgame`, `/reload`, `/auth`, `/clock-speed`'() {
    await using api = await openApi(secure);
    for (const path of ['/newgame', '/reload', '/auth', '/clock-speed'])
      for (const method of ['GET', 'POST'] as const)
        expect([path, (await api.app.inject({ ...asked(path), method })).statusCode]).toEqual([path, 404]);
  },
};

/** With the key, and past the document, which knows nothing of these paths. */
function asked(url: string) {
  return { url, headers: { authorization: `Bearer ${testKey}` } };
}
