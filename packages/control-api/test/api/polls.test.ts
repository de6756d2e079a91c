import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Answer } from './stage/documented-answers.ts';
import { openApi, testKey } from './stage/open-api.ts';
import { polled } from './stage/reads.ts';

/** Without what differs between any two answers, the length of their ids among it, or between a socket and none. */
function comparable({ statusCode, headers, body }: Answer) {
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...kept } = headers;
  const [requestId = ''] = /"requestId":"[^"]*"/.exec(body) ?? [];
  const length = Number(kept['content-length']) - requestId.length;
  return {
    statusCode,
    headers: { ...kept, 'x-request-id': typeof kept['x-request-id'], 'content-length': length },
    body: body.replace(requestId, ''),
  };
}

it.each([
  [undefined, []],
  [testKey, []],
  [testKey, ['https://panel.example']],
])(
  'polls are answered as the framework would answer them, key %s, allowed origins %j',
  async (key, allowedOrigins) => {
    await using api = await openApi({ key, allowedOrigins });
    using client = await api.listen();
    const right = { authorization: `Bearer ${testKey}` };
    const variants: Record<string, string>[] = [
      right,
      {},
      { authorization: 'Bearer wrong' },
      { ...right, origin: 'https://evil.example' },
      { ...right, 'if-none-match': '*' },
    ];
    for (const path of [...polled, '/status?x=1', '/nothing']) {
      for (const headers of variants) {
        const direct = await client.ask(path, { headers });
        const host = `127.0.0.1:${client.port}`;
        const framework = await api.app.inject({ url: path, headers: { host, ...headers } });
        expect(comparable(direct), path).toEqual(comparable(framework));
      }
    }
    // A caller's own request id is kept, whichever way its request goes.
    const named = await client.ask('/status', { headers: { ...right, 'x-request-id': 'mine' } });
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
  using client = await api.listen();
  const { headers } = await client.ask('/status');
  const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'GET /status');
  expect(line).toMatchObject({ requestId: headers['x-request-id'], status: 200 });
  expect((await api.ask('GET', '/metrics')).body).toContain(
    'count{method="GET",route="/status",status="200"} 1',
  );
});
