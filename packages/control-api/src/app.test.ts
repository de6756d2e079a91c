import { createLogger } from '@steward/service-kit/log/logger';
import { Secret } from '@steward/service-kit/secret';
import { problemSchema } from '@steward/shared/problems/problem';
import { describe, expect, it } from 'vitest';
import { buildApp } from './app.ts';
import type { Operation } from './bridge/operations/operation.ts';

const now = new Date('2026-11-21T06:30:00.000Z');

const waiting = {
  link: { status: 'waiting', since: now, why: 'nobody has dialled in' },
  sections: {},
  isWhole: false,
  version: 0,
} as const;

function app(key?: string, kept?: Operation) {
  return buildApp({
    key: key === undefined ? undefined : new Secret(key),
    version: '1.2.3',
    logger: createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr),
    now: () => now,
    bridge: { state: waiting, ticks: {}, operation: (id) => (id === kept?.id ? kept : undefined) },
  });
}

const publicPaths = [
  '/health',
  '/docs',
  '/docs/',
  '/docs/static/swagger-ui.css',
  '/api-spec/v1/api-spec.json',
];
const otherPaths = [
  '/status',
  '/ws',
  '/no-such-path',
  '/health/',
  '/Health',
  '/docsx',
  '/api-spec/v1',
  '/%64ocs',
];

describe('with a key set', () => {
  it.each(publicPaths)('%s is open to everybody', async (path) => {
    const server = await app('k3y');
    expect((await server.inject(path)).statusCode).toBe(200);
    expect((await server.inject({ url: path, method: 'HEAD' })).statusCode).toBe(200);
  });

  it.each(otherPaths)('%s asks for it, whether or not it exists', async (path) => {
    const server = await app('k3y');
    for (const authorization of [undefined, 'Bearer wrong', 'Bearer', 'Basic k3y', 'k3y']) {
      const answer = await server.inject({
        url: path,
        headers: authorization === undefined ? {} : { authorization },
      });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(problemSchema.parse(answer.json())).toMatchObject({ status: 401, code: 'unauthorized' });
    }
  });

  it('lets the right key through to what is there', async () => {
    const server = await app('k3y');
    const answer = await server.inject({ url: '/no-such-path', headers: { authorization: 'Bearer k3y' } });
    expect(answer.statusCode).toBe(404);
  });

  it('never repeats a key that it was given', async () => {
    const server = await app('k3y');
    const answer = await server.inject({ url: '/status', headers: { authorization: 'Bearer s3cret' } });
    expect(answer.body).not.toContain('s3cret');
  });
});

it('asks nobody for a key when none is set', async () => {
  const server = await app();
  expect((await server.inject('/no-such-path')).statusCode).toBe(404);
});

it('is alive at the time that the clock says', async () => {
  const answer = await (await app()).inject('/health');
  expect(answer.json()).toEqual({
    status: 'ok',
    timestamp: now.toISOString(),
    game: { status: 'waiting', since: now.toISOString() },
    tickCount: 0,
    isFrozen: true,
  });
});

it('tells how a command ended, and nothing that is kept for itself alone', async () => {
  const at = now.toISOString();
  const kept = {
    id: '7',
    command: 'save',
    state: 'void',
    why: 'too late',
    createdAt: at,
    changedAt: at,
  } as const;
  const server = await app(undefined, { ...kept, fingerprint: 'f', keyDigest: 'd' });
  expect((await server.inject('/operations/7')).json()).toEqual(kept);
  const missing = await server.inject('/operations/8');
  expect(missing.statusCode).toBe(404);
  expect(problemSchema.parse(missing.json()).code).toBe('operation-not-found');
});

describe('the OpenAPI document', () => {
  it('is version 3.1 of what the routes are checked with', async () => {
    const document = (await (await app()).inject('/api-spec/v1/api-spec.json')).json();
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
    expect(document.paths['/health'].get).toMatchObject({
      operationId: 'getHealth',
      tags: ['Server'],
      security: [],
    });
    expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it('refers to nothing that it lacks', async () => {
    const { body } = await (await app()).inject('/api-spec/v1/api-spec.json');
    const { components } = JSON.parse(body);
    for (const [, name] of body.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(components.schemas).toHaveProperty(name ?? '');
  });
});
