import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { problemSchema } from '@steward/shared/problems/problem';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openApi, type StageOptions, testKey } from '../api/stage/open-api.ts';
import { Client } from './stage/client.ts';

/** A listening server with a key, and what it writes to its log. */
async function stage(options: StageOptions = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  const api = await openApi({ key: testKey, game: false, log, ...options });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const url = `ws://127.0.0.1:${port}/ws`;
  return {
    api,
    lines,
    url,
    warnings: () => lines.filter(({ level }) => level === 40),
    /** Sends a wrong key over a connection of its own, which ends with it. */
    wrongKey: async (headers: Record<string, string> = {}, token = 'wrong') => {
      const client = await Client.open(url, { headers });
      client.send({ type: 'auth', payload: { token } });
      await client.next('auth_failed');
      expect((await client.closed).code).toBe(1008);
    },
    /** The answer to an upgrade that is not let in. */
    refused: async (headers: Record<string, string> = {}) => {
      const socket = new WebSocket(url, { headers });
      socket.on('error', () => {});
      const [, answer] = await once(socket, 'unexpected-response');
      const text = Buffer.concat(await answer.toArray()).toString();
      return {
        status: answer.statusCode,
        retryAfter: answer.headers['retry-after'],
        problem: problemSchema.parse(JSON.parse(text)),
      };
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** As many as one address may try in a minute. */
const most = 10;

it('wrong keys by either door count as one, and then no upgrade from there is let in for the rest of the minute', async () => {
  await using at = await stage();
  for (let tried = 0; tried < most; tried += 2) {
    await at.wrongKey();
    expect((await at.api.ask('GET', '/status', { key: 'wrong' })).statusCode).toBe(401);
  }
  expect((await at.api.ask('GET', '/status', { key: 'wrong' })).statusCode).toBe(429);
  at.api.clock.advance(20_000);
  const { status, retryAfter, problem } = await at.refused();
  expect([status, retryAfter]).toEqual([429, '40']);
  expect(problem).toMatchObject({ code: 'too-many-requests', retry: true });
  expect((await at.api.ask('GET', '/metrics')).body).toContain(
    'steward_chat_refused_total{limit="wrong-keys"} 1',
  );
  at.api.clock.advance(40_000);
  await at.wrongKey();
});

it('the right key gets in all the same: in the header of an upgrade, and over a connection that stood before', async () => {
  await using at = await stage();
  const waiting = await Client.open(at.url);
  const listening = await Client.open(at.url);
  listening.send({ type: 'auth', payload: { token: testKey } });
  await listening.next('auth_success');
  for (let tried = 0; tried < most; tried += 1) await at.wrongKey();
  expect((await at.refused()).status).toBe(429);
  expect((await at.refused({ authorization: 'Bearer wrong' })).status).toBe(429);

  const client = await Client.open(at.url, { headers: { authorization: `Bearer ${testKey}` } });
  for (const one of [client, waiting]) {
    one.send({ type: 'auth', payload: { token: testKey } });
    await one.next('auth_success');
  }
  for (const one of [client, waiting, listening]) await one.rest();
  expect((await at.api.ask('GET', '/status')).statusCode).toBe(200);
});

it('a header stands for no message: who sent it has to authenticate like everybody', async () => {
  await using at = await stage();
  const client = await Client.open(at.url, { headers: { authorization: `Bearer ${testKey}` } });
  client.send({ type: 'ping' });
  expect((await client.next('auth_failed')).payload.error).toContain('Authenticate first');
});

it('a wrong key in the header of an upgrade counts as one that comes by message', async () => {
  await using at = await stage();
  for (let tried = 0; tried < most; tried += 1) {
    const client = await Client.open(at.url, { headers: { authorization: 'Bearer wrong' } });
    client.send({ type: 'auth', payload: { token: testKey } });
    await client.next('auth_success');
  }
  expect((await at.refused()).status).toBe(429);
  expect(at.warnings()).toHaveLength(1);
});

it('a wrong key counts however late it comes', async () => {
  await using at = await stage();
  for (let tried = 0; tried < most; tried += 1) {
    const client = await Client.open(at.url);
    for (const token of [testKey, 'wrong']) client.send({ type: 'auth', payload: { token } });
    await client.next('auth_success');
    await client.next('auth_failed');
  }
  expect((await at.refused()).status).toBe(429);
});

it('the old secret of a key that was rotated ends the connection for good, counts as no guess, and locks nobody out', async () => {
  await using at = await stage();
  const { exact } = await at.api.ask('POST', '/keys?name=bot&scopes=chat');
  await at.api.ask('POST', '/keys/rotate?name=bot&graceSeconds=0');
  for (let tried = 0; tried <= most; tried += 1) {
    const client = await Client.open(at.url);
    client.send({ type: 'auth', payload: { token: String(exact['secret']) } });
    expect((await client.next('auth_failed')).payload.error).toContain('"bot" was rotated');
    expect((await client.closed).code).toBe(4001);
  }
  await at.wrongKey();
});

it('no other address waits for it, by whichever proxy both came', async () => {
  await using at = await stage({ trustedProxies: ['127.0.0.1'] });
  const guesser = { 'x-forwarded-for': '2001:db8:0:7::9' };
  for (let tried = 0; tried < most; tried += 1) await at.wrongKey(guesser);
  expect((await at.refused({ 'x-forwarded-for': '2001:db8:0:7::1' })).status).toBe(429);
  await at.wrongKey({ 'x-forwarded-for': '2001:db8:0:8::1' });
});

it('the log warns of an address once a minute, by whichever door, and never repeats a key', async () => {
  await using at = await stage();
  const key = 'canary-linnet';
  for (let minute = 0; minute < 2; minute += 1) {
    for (let tried = 0; tried < 3; tried += 1) {
      await at.wrongKey({}, key);
      await at.api.ask('GET', '/status', { key });
    }
    at.api.clock.advance(60_000);
  }
  await at.api.ask('GET', '/status', { key, remoteAddress: '192.0.2.7' });
  expect(at.warnings().map(({ client }) => client)).toEqual(['127.0.0.1', '127.0.0.1', '192.0.2.7']);
  expect(JSON.stringify(at.lines)).not.toContain(key);
});

it('the line of a refused request says where it came from, and no other line does', async () => {
  await using at = await stage();
  const remoteAddress = '192.0.2.7';
  for (const key of [null, ...Array<string>(most + 1).fill('wrong')])
    await at.api.ask('GET', '/status', { key, remoteAddress });
  await at.api.ask('GET', '/status', { remoteAddress });
  const told = at.lines
    .filter(({ msg }) => msg === 'GET /status')
    .map(({ status, client }) => [status, client]);
  expect(told).toEqual([
    ...Array(most + 1).fill([401, remoteAddress]),
    [429, remoteAddress],
    [200, undefined],
  ]);
  await using open = await stage({ key: undefined });
  await open.api.ask('GET', '/status', { remoteAddress, headers: { origin: 'https://evil.example' } });
  expect(open.lines.at(-1)).toMatchObject({ status: 403, client: remoteAddress });
});
