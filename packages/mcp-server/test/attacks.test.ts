import type { IncomingMessage, RequestListener } from 'node:http';
import { type EndpointId, endpointIds, endpoints } from '@steward/shared/api/endpoints';
import { answerAndStall, answerWithoutEnd, posingServer } from '@steward/testing/hostile/posing-server';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deedOf } from '../src/tools/deeds.ts';
import { operationNamed } from '../src/tools/toolsets.ts';
import { Assistant } from './stage/assistant.ts';
import { farmName, farmStage } from './stage/farm-stage.ts';

/** What leads elsewhere where it becomes part of a path, a query or a line. */
const elsewhere = [
  '../keys',
  '../../keys?x=',
  '..%2fkeys',
  '.',
  '..',
  '',
  '1?all=true',
  '1#x',
  '1/../../keys',
  '1\r\nDELETE /keys HTTP/1.1\r\n\r\n',
  '\u0000',
  '\u202e',
  '__proto__',
];

const value = fc.oneof(
  fc.constantFrom<unknown>(...elsewhere, farmName, 1e308, -1, null, true, [], {}, 0.1),
  fc.string(),
  fc.jsonValue({ maxDepth: 3 }),
);

const names = [
  'id',
  'playerId',
  'value',
  'confirmFarm',
  'limit',
  'skip',
  'identity',
  'name',
  '__proto__',
  'x',
];

/** What the server asks by itself, whatever its tools do. */
const byItself = ['getCaller', 'getEvents', 'streamEvents'] as const;

const requestOf = (id: EndpointId) => new RegExp(`^${endpoints[id].on.replace(/\{\w+\}/g, '[^/]+')}$`);

/** All that may be asked while a tool is called: its own operation, and for some which farm it is. */
function requestsOf(tool: string): readonly RegExp[] {
  const id = operationNamed(tool);
  if (id === undefined) throw new Error(`there is no tool ${tool}`);
  const confirming = deedOf(id)?.isDestructive === true ? (['getStatus'] as const) : [];
  return [id, ...confirming, ...byItself].map(requestOf);
}

/** What a farm says of a key that is good for everything. */
const whoami = JSON.stringify({ name: 'owner', scopes: ['admin'] });
const json = { 'content-type': 'application/json' };

it('whatever an assistant gives leads to no other operation than the tool’s, and its key stands nowhere', async () => {
  await using stage = await farmStage({ leftKeys: [{ name: 'bot', scopes: ['read', 'moderate'] }] });
  const key = stage.api.secretOf('bot');
  const asked: string[] = [];
  stage.api.app.server.on('request', ({ method, url = '' }: IncomingMessage) => {
    asked.push(`${method} ${url.split('?', 1)}`);
  });
  const assistant = await stage.assistant({ STEWARD_KEY: key, MCP_TOOLSETS: 'all' });
  const said: string[] = [];
  const isOf = (requests: readonly RegExp[]) => (one: string) => requests.some((each) => each.test(one));
  const asksItsOwn = async (tool: string, call: () => Promise<unknown>) => {
    const before = asked.length;
    said.push(JSON.stringify(await call()));
    const itsOwn = isOf(requestsOf(tool));
    expect([tool, asked.slice(before).filter((one) => !itsOwn(one))]).toEqual([tool, []]);
  };
  for (const id of elsewhere)
    await asksItsOwn('get_operation', () => assistant.call('get_operation', { id }));
  const tools = await assistant.names();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...tools),
      fc.dictionary(fc.constantFrom(...names), value),
      (tool, given) => asksItsOwn(tool, () => assistant.call(tool, given).catch(String)),
    ),
    { numRuns: count({ small: 60, long: 5_000 }) },
  );
  const known = isOf(endpointIds.map(requestOf));
  expect(asked.filter((one) => !known(one))).toEqual([]);
  // It is good for no key, and nobody has made one by it.
  expect(asked.filter((one) => one.endsWith(' /keys'))).toEqual([]);
  expect([...said, ...assistant.log].filter((text) => text.includes(key))).toEqual([]);
  expect(await assistant.call('get_status')).not.toMatchObject({ isError: true });
});

it('a server that sends elsewhere is not followed', async () => {
  await using other = await posingServer((_request, response) => response.writeHead(200).end('{}'));
  await using hostile = await posingServer((_request, response) =>
    response.writeHead(307, { location: `${other.url}/status` }).end(),
  );
  await using assistant = await Assistant.open({ environment: { STEWARD_URL: hostile.url } });
  expect(await assistant.call('get_status')).toMatchObject({ isError: true });
  expect(hostile.asked.length).toBeGreaterThan(0);
  expect(other.asked).toEqual([]);
});

it('a server that poses as a farm breaks nothing, and nobody is told the key', async () => {
  const answers: RequestListener[] = [
    (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(100_000)),
    (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"__proto__":{"x":1},"scopes":[1]}'),
    (_request, response) =>
      response.writeHead(500, { 'content-type': 'application/problem+json' }).end('{"code":"\u001b[2J"'),
    (request) => request.socket.destroy(),
  ];
  // Each in its turn, by path.
  const turns = new Map<string, number>();
  await using hostile = await posingServer((request, response) => {
    const turn = turns.get(`${request.url}`) ?? 0;
    turns.set(`${request.url}`, turn + 1);
    answers[turn % answers.length]?.(request, response);
  });
  const key = 'canary-of-the-assistant';
  await using assistant = await Assistant.open({
    environment: { STEWARD_URL: hostile.url, STEWARD_KEY: key },
  });
  const said: unknown[] = [];
  for (const tool of ['get_status', 'list_players', 'get_status']) said.push(await assistant.call(tool));
  expect(said).toEqual(said.map(() => expect.objectContaining({ isError: true })));
  expect(JSON.stringify([said, assistant.log])).not.toContain(key);
  expect(hostile.asked.some(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true);
});

it('a screenshot without end is read to its limit, and its connection closed', async () => {
  const sent = Promise.withResolvers<number>();
  await using hostile = await posingServer(({ url = '' }, response) => {
    if (url.startsWith('/screenshot')) void answerWithoutEnd(response, 'image/png').then(sent.resolve);
    else response.writeHead(200, json).end(whoami);
  });
  await using assistant = await Assistant.open({
    environment: { STEWARD_URL: hostile.url, MCP_TOOLSETS: 'all' },
  });
  const answer = await assistant.call('get_screenshot');
  expect(answer).toMatchObject({ isError: true, structuredContent: { code: 'not-steward' } });
  // What was read, and what the system holds of a connection.
  expect(await sent.promise).toBeLessThan(32 * 1_048_576);
});

it('what a farm says stands in one line of the log each, and gives a terminal no orders', async () => {
  const evil = 'a\u009b2J\u001b[1A\u202eb\u2028c\r\nsteward-mcp: serving http://evil.example';
  const problem = { code: 'unauthorized', title: evil, detail: evil, status: 401 };
  const key = { name: evil, scopes: ['admin', evil] };
  let isKey = true;
  await using hostile = await posingServer(({ url = '' }, response) => {
    if (url.startsWith('/whoami') && isKey) response.writeHead(200, json).end(JSON.stringify(key));
    else response.writeHead(401, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
  });
  await using assistant = await Assistant.open({ environment: { STEWARD_URL: hostile.url } });
  await assistant.logs(/the key is "a/);
  await assistant.logs(/events do not arrive: a/);
  isKey = false;
  expect(await assistant.call('get_status')).toMatchObject({ isError: true });
  await assistant.logs(/\(unauthorized\)/);
  expect(assistant.log.filter((line) => /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u.test(line))).toEqual([]);
  expect(assistant.log.filter((line) => !/^steward-mcp: /.test(line))).toEqual([]);
  expect(assistant.log.filter((line) => line.startsWith('steward-mcp: serving http://evil'))).toEqual([]);
});

it('a farm that begins each answer and never ends it is given up, and nobody is left waiting', async () => {
  const left: Promise<void>[] = [];
  await using hostile = await posingServer(
    (_request, response) => void left.push(answerAndStall(response, 'application/json')),
  );
  await using assistant = await Assistant.open({ environment: { STEWARD_URL: hostile.url } });
  const answers = await Promise.all(['get_status', 'list_players'].map((tool) => assistant.call(tool)));
  const timeout = { isError: true, structuredContent: { code: 'timeout' } };
  expect(answers).toMatchObject([timeout, timeout]);
  await left[0];
});
