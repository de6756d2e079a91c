import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { openApi, testKey } from './stage/open-api.ts';

const reads = [
  '/status',
  '/players',
  '/invite-code',
  '/farmhands',
  '/cabins',
  '/rendering',
  '/time',
  '/stats',
];

interface Received {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

function over(port: number, path: string, headers: Record<string, string>): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
    });
    sent.on('error', reject).end();
  });
}

/** Without what differs between any two answers, or between a socket and none. */
function comparable({ status, headers, body }: Received) {
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...kept } = headers;
  return { status, headers: { ...kept, 'x-request-id': typeof kept['x-request-id'] }, body };
}

it.each([undefined, testKey])(
  'polls are answered as the framework would answer them, key %s',
  async (key) => {
    await using api = await openApi({ key });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = api.app.server.address() as AddressInfo;
    const right = { authorization: `Bearer ${testKey}` };
    const variants: Record<string, string>[] = [
      right,
      {},
      { authorization: 'Bearer wrong' },
      { ...right, origin: 'https://evil.example' },
      { ...right, 'if-none-match': '*' },
    ];
    for (const path of [...reads, '/status?x=1', '/nothing']) {
      for (const headers of variants) {
        const direct = await over(port, path, headers);
        const {
          statusCode,
          headers: injected,
          body,
        } = await api.app.inject({
          url: path,
          headers: { host: `127.0.0.1:${port}`, ...headers },
        });
        const framework = { status: statusCode, headers: injected, body: JSON.stringify(withoutId(body)) };
        expect(comparable({ ...direct, body: JSON.stringify(withoutId(direct.body)) }), path).toEqual(
          comparable({ ...framework, headers: { ...injected } }),
        );
      }
    }
    // A caller's own request id is kept, whichever way its request goes.
    const named = await over(port, '/status', { ...right, 'x-request-id': 'mine' });
    expect(named.headers['x-request-id']).toBe('mine');
  },
);

it('polls leave their line in the log and are counted', async () => {
  const lines: string[] = [];
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  await using api = await openApi({ log });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const { headers } = await over(port, '/status', {});
  const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'GET /status');
  expect(line).toMatchObject({ requestId: headers['x-request-id'], status: 200 });
  expect((await api.ask('GET', '/metrics')).body).toContain(
    'count{method="GET",route="/status",status="200"} 1',
  );
});

function withoutId(body: string): unknown {
  const parsed: unknown = JSON.parse(body || 'null');
  return typeof parsed === 'object' && parsed !== null && 'requestId' in parsed
    ? { ...parsed, requestId: undefined }
    : parsed;
}
