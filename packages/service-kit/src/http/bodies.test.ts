import type { AddressInfo } from 'node:net';
import { problemSchema } from '@steward/shared/problems/problem';
import { rawExchange } from '@steward/testing/raw-exchange';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createLogger } from '../log/logger.ts';
import { createHttpServer } from './http-server.ts';

async function stage() {
  const server = createHttpServer(
    createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr),
  );
  for (const method of ['POST', 'PUT', 'DELETE'] as const)
    server.route({ method, url: '/plain', handler: async ({ body }) => ({ got: body ?? 'nothing' }) });
  server.put('/thing', { schema: { body: z.object({ size: z.number() }) } }, async ({ body }) => body);
  server.get('/read', async () => 'read');
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return {
    ask: (line: string, headers: readonly string[] = [], body = '') =>
      rawExchange(port, [`${line} HTTP/1.1`, 'host: a', ...headers, '', body].join('\r\n')),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

const noBodies = [
  ['neither length nor encoding', [], ''],
  ['a length of 0', ['content-length: 0'], ''],
  ['a length of 00', ['content-length: 00'], ''],
  ['no chunk but the last', ['transfer-encoding: chunked'], '0\r\n\r\n'],
] as const;
const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'a'];

describe.each(noBodies)('a request with %s', (_what, headers, body) => {
  it.each(types)('and the type %s is answered as one without a body', async (type) => {
    await using at = await stage();
    for (const line of ['POST /plain', 'PUT /plain', 'DELETE /plain']) {
      const answer = await at.ask(line, [`content-type: ${type}`, ...headers], body);
      expect([answer.status, answer.body], line).toEqual([200, '{"got":"nothing"}']);
    }
    for (const [line, status] of [
      ['POST /nowhere', 404],
      ['DELETE /read', 405],
      ['PUT /thing', 400],
      ['GET /read', 200],
    ] as const)
      expect((await at.ask(line, [`content-type: ${type}`, ...headers], body)).status, line).toBe(status);
  });
});

describe('a body', () => {
  it('that is wanted and missing is asked for', async () => {
    await using at = await stage();
    const { status, body } = await at.ask('PUT /thing');
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({
      code: 'missing-parameter',
      detail: expect.stringContaining('no body'),
    });
  });

  it('of JSON reaches the route that takes one', async () => {
    await using at = await stage();
    const headers = ['content-type: application/json', 'content-length: 10'];
    expect((await at.ask('PUT /thing', headers, '{"size":3}')).body).toBe('{"size":3}');
  });

  it('of another type is refused with the type to send', async () => {
    await using at = await stage();
    const headers = ['content-type: application/x-www-form-urlencoded', 'content-length: 10'];
    const { status, body } = await at.ask('PUT /thing', headers, '{"size":3}');
    expect(status).toBe(400);
    expect(problemSchema.parse(JSON.parse(body)).detail).toContain('Content-Type: application/json');
  });

  it.each([
    ['POST /nowhere', 404],
    ['POST /read', 405],
  ])('is no matter at %s, which is %i', async (line, status) => {
    await using at = await stage();
    const headers = ['content-type: application/json', 'content-length: 1'];
    expect((await at.ask(line, headers, '{')).status).toBe(status);
  });

  it('that nobody reads is not waited for when it is long or endless, and otherwise costs no connection', async () => {
    await using at = await stage();
    for (const [length, connection] of [
      ['content-length: 10', 'keep-alive'],
      ['content-length: 100000000', 'close'],
      ['transfer-encoding: chunked', 'close'],
    ] as const) {
      const { status, headers } = await at.ask('POST /nowhere', [length]);
      expect([status, headers['connection']], length).toEqual([404, connection]);
    }
  });
});
