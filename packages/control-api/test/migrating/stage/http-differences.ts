import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { ids } from '../../api/stage/full-farm.ts';
import { openApi, testKey } from '../../api/stage/open-api.ts';
import { settled } from '../../bridge/stage/stage.ts';

const secure = { key: testKey };

/** What docs/migrating.md says of requests and answers, by the row's left side. */
export const httpDifferences: Readonly<Record<string, () => Promise<void>>> = {
  async '200 with `success: false` where something failed'() {
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

  async 'the first of several whom a name fits'() {
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

  async '`/newgame`, `/reload`, `/auth`, `/clock-speed`, `/screenshot`'() {
    await using api = await openApi(secure);
    for (const path of ['/newgame', '/reload', '/auth', '/clock-speed', '/screenshot'])
      for (const method of ['GET', 'POST'] as const)
        expect([path, (await api.app.inject({ ...asked(path), method })).statusCode]).toEqual([path, 404]);
  },
};

/** With the key, and past the document, which knows nothing of these paths. */
function asked(url: string) {
  return { url, headers: { authorization: `Bearer ${testKey}` } };
}
