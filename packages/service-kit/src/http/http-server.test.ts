import { Problem, problemContentType, problemSchema } from '@steward/shared/problems/problem';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { keptLog } from '../../test/kept-log.ts';
import { createHttpServer } from './http-server.ts';

function arrangement() {
  const { log, logger } = keptLog();
  const server = createHttpServer(logger, { polledPaths: ['/polled'] });
  server.get('/thing', { schema: { querystring: z.object({ size: z.coerce.number() }) } }, async () => ({
    ok: true,
  }));
  server.post('/thing', async () => ({ ok: true }));
  server.get('/polled', async ({ headers }, reply) =>
    reply.code(headers['x-fail'] === undefined ? 200 : 503).send(),
  );
  server.get('/refused', () => {
    throw new Problem('farmhand-online', 'Ann is online', { farmhand: 'Ann' });
  });
  server.get('/broken', () => {
    throw new Error('the password is hunter2');
  });
  return { server, log };
}

describe('an answer', () => {
  it('carries the request id that was given, and so does its log line', async () => {
    const { server, log } = arrangement();
    const answer = await server.inject({ url: '/thing?size=1', headers: { 'x-request-id': 'abc-1' } });
    expect(answer.headers['x-request-id']).toBe('abc-1');
    expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({
      requestId: 'abc-1',
      msg: 'GET /thing',
      status: 200,
    });
  });

  it.each([['with spaces'], ['a'.repeat(129)], ['line\u0001feed'], ['']])(
    'gets a new request id when the given one is %j',
    async (given) => {
      const { server } = arrangement();
      const answer = await server.inject({ url: '/thing?size=1', headers: { 'x-request-id': given } });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-z]+$/);
    },
  );

  it('gets another id than any before it', async () => {
    const { server } = arrangement();
    const ids = new Set<unknown>();
    for (let asked = 0; asked < 100; asked += 1)
      ids.add((await server.inject('/thing?size=1')).headers['x-request-id']);
    expect(ids.size).toBe(100);
  });

  it('leaves one line in the log, without the query', async () => {
    const { server, log } = arrangement();
    await server.inject('/thing?size=1&name=Ann');
    expect(log).toHaveLength(1);
    expect(log[0]).not.toContain('Ann');
  });

  it('leaves one for an id of any length in its path', async () => {
    const { server, log } = arrangement();
    server.get('/things/:id', async () => ({ ok: true }));
    const path = `/things/${'x'.repeat(10_000)}`;
    expect((await server.inject(path)).statusCode).toBe(200);
    expect(log).toHaveLength(1);
  });

  it('leaves one for a path that cannot be decoded, its percent signs encoded', async () => {
    const { server, log } = arrangement();
    expect((await server.inject('/%zz%41?name=%zz')).statusCode).toBe(404);
    expect(log).toHaveLength(1);
    expect(JSON.parse(log[0] ?? '')).toMatchObject({ msg: 'GET /%25zz%2541', status: 404 });
  });

  it('leaves none where machines poll, until it fails', async () => {
    const { server, log } = arrangement();
    await server.inject('/polled');
    expect(log).toEqual([]);
    await server.inject({ url: '/polled', headers: { 'x-fail': '1' } });
    expect(JSON.parse(log[0] ?? '')).toMatchObject({ msg: 'GET /polled', status: 503 });
  });
});

describe('what goes wrong', () => {
  it.each([
    ['GET', '/refused', 409, 'farmhand-online'],
    ['GET', '/nothing?key=hunter2', 404, 'not-found'],
    ['GET', '/thing?size=big', 400, 'invalid-parameter'],
    ['DELETE', '/thing', 405, 'method-not-allowed'],
    ['OPTIONS', '/thing', 405, 'method-not-allowed'],
    ['GET', '/broken', 500, 'internal-error'],
  ] as const)('%s %s is %i %s as problem details', async (method, url, status, code) => {
    const { server } = arrangement();
    const answer = await server.inject({ method, url });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe(problemContentType);
    const details = problemSchema.parse(answer.json());
    expect(details).toMatchObject({ status, code, requestId: answer.headers['x-request-id'] });
    expect(answer.body).not.toContain('hunter2');
  });

  it('adds what the problem knows', async () => {
    const { server } = arrangement();
    expect((await server.inject('/refused')).json()).toMatchObject({
      farmhand: 'Ann',
      error: 'Ann is online',
    });
  });

  it('names the parameter that is wrong', async () => {
    const { server } = arrangement();
    expect((await server.inject('/thing?size=big')).json().detail).toMatch(/^size: /);
  });

  it('says which methods a path takes', async () => {
    const { server } = arrangement();
    expect((await server.inject({ method: 'PUT', url: '/thing' })).headers.allow).toBe('GET, HEAD, POST');
  });

  it('keeps the cause of a mistake for the log', async () => {
    const { server, log } = arrangement();
    await server.inject('/broken');
    expect(log.join('')).toContain('hunter2');
  });

  it('is a malformed request when the body is no JSON', async () => {
    const { server } = arrangement();
    const answer = await server.inject({
      method: 'POST',
      url: '/thing',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(answer.json()).toMatchObject({ status: 400, code: 'malformed-request' });
  });

  it('is a problem with a request id where the framework refuses by itself, too', async () => {
    const { server } = arrangement();
    server.get('/things/:id', async () => ({ ok: true }));
    const answer = await server.inject(`/things/${'x'.repeat(20_000)}`);
    expect(answer.headers['x-request-id']).toBeDefined();
    expect(answer.json()).toMatchObject({
      status: 400,
      code: 'malformed-request',
      requestId: answer.headers['x-request-id'],
    });
  });
});
