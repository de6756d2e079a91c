import { rawExchange } from '@steward/testing/raw-exchange';
import { describe, expect, it } from 'vitest';
import { openApi } from './stage/open-api.ts';
import { sharedApi } from './stage/shared-api.ts';

const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'a', undefined];
const nothings = ['', '{}', ' {\r\n\t} \n', `{${' '.repeat(5_000)}}`];

const write = 'POST /time?value=700 HTTP/1.1\r\nhost: a\r\n';

function typed(type: string | undefined): string {
  return type === undefined ? '' : `content-type: ${type}\r\n`;
}

function framed(body: string): readonly string[] {
  const chunks = [...body].map((each) => `1\r\n${each}\r\n`).join('');
  return [
    `content-length: ${body.length}\r\n\r\n${body}`,
    `transfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
  ];
}

const refusing = sharedApi();

describe.each(types)('a body of the type %s', (type) => {
  it('that says nothing is as none, whether it tells its length or not', async () => {
    await using api = await openApi();
    const { port } = await api.listen();
    for (const body of nothings)
      for (const sent of framed(body))
        expect((await rawExchange(port, `${write}${typed(type)}${sent}`)).status, sent).toBe(200);
    expect((await rawExchange(port, `${write}${typed(type)}\r\n`)).status).toBe(200);
    expect(api.farm.heard.length).toBe(2 * nothings.length + 1);
  });

  it('that says anything is refused, and told where parameters go', async () => {
    const api = await refusing();
    const port = await refusing.port();
    for (const body of ['{"value":800}', 'value=800', '[]', 'null', '{}{}', '{{}}', ' ', '{ } x'])
      for (const sent of framed(body)) {
        const answer = await rawExchange(port, `${write}${typed(type)}${sent}`);
        expect(JSON.parse(answer.body), sent).toMatchObject({ status: 400, code: 'unexpected-body' });
        expect(answer.body).toContain('query');
      }
    expect(api.farm.heard).toEqual([]);
  });
});

it('reads and GETs go by the same rule', async () => {
  const port = await refusing.port();
  const read = 'GET /status HTTP/1.1\r\nhost: a\r\n';
  for (const sent of framed('{}')) expect((await rawExchange(port, `${read}${sent}`)).status).toBe(200);
  for (const sent of framed('{"a":1}')) expect((await rawExchange(port, `${read}${sent}`)).status).toBe(400);
});

it('the next request on the connection is read as such, whatever became of the body before it', async () => {
  await using api = await openApi();
  const { port } = await api.listen();
  const next = 'GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';
  for (const [body, statuses] of [
    ['{}', ['200', '200']],
    ['{"value":800}', ['400', '200']],
  ] as const) {
    const [sent] = framed(body);
    const both = `${write}${typed('application/json')}${sent}${next}`;
    const { everything } = await rawExchange(port, both, { untilClosed: true });
    const seen = [...everything.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(seen, everything).toEqual(statuses);
  }
});

it('one that is long is refused by what it says of itself, and one without end once it is long', async () => {
  await using api = await openApi();
  const { port } = await api.listen();
  // Nothing more than this comes: whoever waited for the rest would never answer.
  for (const sent of [
    'content-length: 1000000000\r\n\r\n{',
    `transfer-encoding: chunked\r\n\r\n${`1000\r\n${' '.repeat(4_096)}\r\n`.repeat(20)}`,
  ]) {
    const answer = await rawExchange(port, `${write}${sent}`);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'unexpected-body' });
    expect(answer.headers['connection']).toBe('close');
  }
});

it('one that breaks off is no mistake of the server', async () => {
  await using api = await openApi();
  const { port } = await api.listen();
  const broken = `${write}transfer-encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n`;
  expect((await rawExchange(port, broken, { untilClosed: true })).status).toBe(400);
  expect(api.farm.heard).toEqual([]);
});

it('without the key nobody reads it, and what is wrong with it is no second answer', async () => {
  await using api = await openApi({ key: 'k3y' });
  const { port } = await api.listen();
  expect((await rawExchange(port, `${write}content-length: 2\r\n\r\n`)).status).toBe(401);
  const broken = `${write}transfer-encoding: chunked\r\n\r\nzz\r\n`;
  const { everything } = await rawExchange(port, broken, { untilClosed: true });
  expect(everything.match(/^HTTP.*/gm)).toEqual(['HTTP/1.1 401 Unauthorized']);
});
