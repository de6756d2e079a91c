import { problemContentType, problemSchema } from '@steward/shared/problems/problem';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openApi } from '../api/stage/open-api.ts';
import { sharedApi } from '../api/stage/shared-api.ts';
import { ChatStage, key } from './stage/chat-stage.ts';
import { RawSocket } from './stage/raw-socket.ts';

const good = {
  Host: 'a',
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version': '13',
};

const open = sharedApi({ game: false });
const locked = sharedApi({ game: false, key });

type Headers = Readonly<Record<string, string | undefined>>;

function request(line: string, headers: Headers): string {
  const lines = Object.entries(headers).flatMap(([name, text]) =>
    text === undefined ? [] : [`${name}: ${text}`],
  );
  return [`${line} HTTP/1.1`, ...lines, '\r\n'].join('\r\n');
}

/** The status of the first answer to these bytes, and its body, which must be a problem unless the upgrade is let in. */
async function answerTo(port: number, bytes: string) {
  const raw = new RawSocket(port);
  raw.write(bytes);
  const head = await raw.has(/\r\n\r\n/);
  const status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 101'.length));
  if (status === 101) {
    raw.socket.destroy();
    return { status, head };
  }
  const [, length = ''] = /content-length: (\d+)/i.exec(head) ?? [];
  const text = await raw.has(new RegExp(`\r\n\r\n.{${length}}`, 's'));
  raw.socket.destroy();
  expect(head).toContain(`content-type: ${problemContentType}`);
  const problem = problemSchema.parse(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))));
  expect(problem.status).toBe(status);
  expect(head).toContain(`x-request-id: ${problem.requestId}`);
  return { status, head, detail: problem.detail };
}

it.each<[string, string, Headers, number, string]>([
  ['of the chat', 'GET /ws', good, 101, ''],
  ['with a query', 'GET /ws?x=1', { ...good, Upgrade: 'WebSocket' }, 101, ''],
  ['with names of protocols', 'GET /ws', { ...good, 'Sec-WebSocket-Protocol': 'a, b' }, 101, ''],
  ['to something else', 'GET /ws', { ...good, Upgrade: 'h2c' }, 426, 'WebSocket client'],
  ['without the word', 'GET /ws', { ...good, Connection: 'keep-alive' }, 426, 'WebSocket client'],
  ['without a key', 'GET /ws', { ...good, 'Sec-WebSocket-Key': undefined }, 400, 'Sec-WebSocket-Key'],
  ['with a key that is none', 'GET /ws', { ...good, 'Sec-WebSocket-Key': 'x' }, 400, 'Sec-WebSocket-Key'],
  ['of no version', 'GET /ws', { ...good, 'Sec-WebSocket-Version': undefined }, 426, '13'],
  ['of another version', 'GET /ws', { ...good, 'Sec-WebSocket-Version': '12' }, 426, '13'],
  ['with bad names', 'GET /ws', { ...good, 'Sec-WebSocket-Protocol': 'a,' }, 400, 'Sec-WebSocket-Protocol'],
  ['with one name twice', 'GET /ws', { ...good, 'Sec-WebSocket-Protocol': 'a, a' }, 400, 'each once'],
  ['by another method', 'POST /ws', good, 405, 'GET'],
  ['on a path that speaks HTTP', 'GET /status', good, 400, 'connect to /ws'],
  ['on a public path', 'GET /health', good, 400, 'connect to /ws'],
  ['on a path that nobody knows', 'GET /nothing', good, 400, 'connect to /ws'],
  ['on a path that cannot be decoded', 'GET /%zz', good, 400, 'connect to /ws'],
])('answers an upgrade %s', async (_what, line, headers, status, words) => {
  const answer = await answerTo(await open.port(), request(line, headers));
  expect(answer.status).toBe(status);
  expect(answer.detail ?? '').toContain(words);
});

it('tells whoever speaks another version which ones are spoken', async () => {
  await using stage = await ChatStage.open();
  const { head } = await answerTo(stage.port, request('GET /ws', { ...good, 'Sec-WebSocket-Version': '7' }));
  expect(head).toMatch(/sec-websocket-version: 13/i);
  expect(head).toMatch(/connection: close/i);
});

it.each(['/status', '/nothing', '/health/ready', '/%77s', '/ws/', '/%zz'])(
  'an upgrade on %s is no way around the key',
  async (path) => {
    expect((await answerTo(await locked.port(), request(`GET ${path}`, good))).status).toBe(401);
  },
);

it('a request that offers another protocol is served as it is', async () => {
  await using api = await openApi();
  using client = await api.listen();
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' };
  expect((await api.ask('GET', '/status', { client, headers })).statusCode).toBe(200);
});

it('a client that does not wait for an answer before it upgrades gets both, and holds nothing', async () => {
  await using stage = await ChatStage.open();
  const raw = new RawSocket(stage.port);
  raw.write(request('GET /nothing', { Host: 'a' }) + request('GET /ws', good));
  await raw.has(/HTTP\/1\.1 401 .*HTTP\/1\.1 401 /s);
  raw.write(request('GET /ws', good));
  await raw.has(/HTTP\/1\.1 101 /);
  expect(raw.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 401', 'HTTP/1.1 101']);
});

it('answers any handshake with an upgrade or a problem, never with a page', {
  timeout: 3_600_000,
}, async () => {
  await using stage = await ChatStage.open({});
  const near = (text: string) =>
    fc.oneof(
      fc.constant(text),
      fc.constant(undefined),
      fc.string({ unit: fc.constantFrom(...'abz019+/= ,;"\\\t\x80\xa0\xff'), maxLength: 30 }),
    );
  const headers = fc.record({
    'Sec-WebSocket-Key': near(good['Sec-WebSocket-Key']),
    'Sec-WebSocket-Version': near('13'),
    'Sec-WebSocket-Protocol': near('a, b'),
    'Sec-WebSocket-Extensions': near('permessage-deflate; client_max_window_bits'),
  });
  await fc.assert(
    fc.asyncProperty(headers, async (given) => {
      const { status } = await answerTo(stage.port, request('GET /ws', { ...good, ...given }));
      expect([101, 400, 426]).toContain(status);
    }),
    { numRuns: count({ small: 100, long: 20_000 }) },
  );
});

it.each([
  ['of another version', { ...good, 'Sec-WebSocket-Version': '12' }],
  ['that is strange as a request', { ...good, Host: undefined }],
])('an upgrade %s is answered, and holds nothing', async (_what, headers) => {
  await using stage = await ChatStage.open();
  const raw = new RawSocket(stage.port);
  raw.write(request('GET /ws', headers));
  await raw.has(/HTTP\/1\.1 4\d\d /);
  expect(await raw.ended).toEqual([false]);
});

it('an upgrade that comes while the server stops is refused, and does not hold it', async () => {
  await using api = await openApi({ game: false });
  using client = await api.listen();
  const late = new RawSocket(client.port);
  const upgrade = request('GET /ws', good);
  late.write(upgrade.slice(0, 9));
  const half = new RawSocket(client.port);
  const json = { 'Content-Type': 'application/json', 'Content-Length': '9', Expect: '100-continue' };
  half.write(request('POST /chat', { Host: 'a', ...json }));
  await half.has(/HTTP\/1\.1 100 /);
  const stopped = api.app.close();
  late.write(upgrade.slice(9));
  expect(await late.has(/\r\n\r\n.*}/s)).toMatch(/HTTP\/1\.1 503 .*shutting-down/s);
  half.socket.destroy();
  await stopped;
});
