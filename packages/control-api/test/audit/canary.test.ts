import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { required } from '@steward/shared/api/endpoint';
import { endpoints } from '@steward/shared/api/endpoints';
import { refused } from '@steward/shared/parsed';
import { rawExchange } from '@steward/testing/raw-exchange';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { DeclaredParameters } from '../../src/http/parameters/check-parameters.ts';
import { handedOver } from '../api/stage/handed-over.ts';
import { type Ask, openApi } from '../api/stage/open-api.ts';
import { Client } from '../chat/stage/client.ts';

const ownersKey = 'canary-of-the-owner-jackdaw';
const spoken = [
  'canary-spoken-over-http-robin',
  'canary-spoken-over-ws-wren',
  'canary-that-is-refused-siskin',
] as const;
const wrongKey = 'canary-that-is-no-key-linnet';

/** All that a file says, and every file below a directory. */
function bytesBelow(path: string): string {
  if (!statSync(path).isDirectory()) return readFileSync(path, 'latin1');
  return readdirSync(path)
    .map((name) => bytesBelow(join(path, name)))
    .join('\n');
}

it('no key and no word of the chat stands in the log, the audit, an error, a metric, or a file', async () => {
  using directory = temporaryDirectory();
  const log = new PassThrough();
  const seen: string[] = [];
  const secrets: string[] = [ownersKey, ...spoken, wrongKey];
  {
    await using api = await openApi({ key: ownersKey, directory: directory.path, log });
    const made = await api.ask('POST', '/keys?name=friend&scopes=read,chat,operate', {
      headers: { 'idempotency-key': 'k' },
    });
    const friend = String(made.exact['secret']);
    const rotated = await api.ask('POST', '/keys/rotate?name=friend&graceSeconds=60');
    secrets.push(friend, String(rotated.exact['secret']));
    // What is said over connections is counted for another address.
    const remoteAddress = '192.0.2.7';
    const ask = async (method: Parameters<typeof api.ask>[0], url: string, more: Ask = {}) => {
      const { body, headers } = await api.ask(method, url, { remoteAddress, ...more });
      seen.push(body, JSON.stringify(headers));
    };
    for (const key of [ownersKey, friend, wrongKey, null]) {
      const [http, , silent] = spoken;
      await ask('POST', `/chat?author=Robin&message=${http}`, { key });
      await ask('POST', `/chat?author=Robin&message=${silent}&message=${silent}`, { key });
      await ask('POST', `/chat?author=&message=${silent}`, { key });
      await ask('POST', '/time?value=1200', { key });
      await ask('DELETE', '/farmhands?name=Nobody', { key });
      await ask('GET', '/nowhere', { key });
      await ask('PUT', '/status', { key });
      await ask('GET', `/keys`, { key });
      await ask('POST', '/settings?allowIpConnections=true', { key });
      await ask('GET', '/audit', { key });
      await ask('POST', '/drain?when=day-end&message=soon', { key });
      await ask('GET', '/drain', { key });
      await ask('DELETE', '/drain', { key });
      await ask('POST', '/schedules?name=s&action=announce&cron=0+5+*+*+*&timeZone=UTC&message=soon', {
        key,
      });
      await ask('GET', '/schedules', { key });
      await ask('DELETE', '/schedules?name=s', { key });
      await ask('POST', '/keys?name=friend&scopes=read,chat,operate', {
        key,
        headers: { 'idempotency-key': 'k' },
      });
    }
    for (const authorization of [
      `Basic ${ownersKey}`,
      `bearer  ${wrongKey} `,
      `Bearer ${friend},${wrongKey}`,
      ownersKey,
    ])
      await ask('GET', '/status', { key: null, headers: { authorization } });
    const { port } = await api.listen();
    for (const raw of [
      `GET /status HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${wrongKey}\r\nAuthorization: Bearer ${friend}\r\n\r\n`,
      `GET /status HTTP/1.1\r\nHost: a\r\nAuthorization : Bearer ${friend}\r\n\r\n`,
      `GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nAuthorization: Bearer ${wrongKey}\r\n\r\n`,
      `POST /chat?message=${spoken[2]} HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n`,
    ])
      seen.push((await rawExchange(port, raw)).everything);
    for (const token of [friend, ownersKey, wrongKey]) {
      const client = await Client.open(`ws://127.0.0.1:${port}/ws`);
      client.send({ type: 'auth', payload: { token } });
      client.send({ type: 'chat_send', payload: { author: 'Robin', message: spoken[1], id: '1' } });
      client.send({ type: 'chat_send', payload: { author: '\u200b', message: spoken[2] } });
      client.send(`{"type":"auth","payload":{"token":"${friend}"`);
      client.send({ type: 'auth', payload: { token: wrongKey } });
      await client.closed;
      seen.push(JSON.stringify(client.received));
    }
    api.farm.mood = 'claims-and-is-silent';
    const asking = ask('POST', `/chat?message=${spoken[0]}`);
    await handedOver(api.farm);
    api.clock.advance(10_000);
    await asking;
    await ask('DELETE', '/keys?name=friend');
    await ask('GET', '/audit?limit=1000');
    await ask('GET', '/metrics');
    await ask('GET', '/operations');
  }
  seen.push(String(log.read()), bytesBelow(directory.path));
  const told = seen.join('\n');
  expect(told).toContain('line written in the game');
  expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
});

it('what is marked secret is repeated by no error; of a line of the chat that is its text', () => {
  const kind = { allowed: 'one that is known', json: {}, parse: () => refused('is not known') };
  const saysOf = (more: { readonly isSecret?: true }) =>
    new DeclaredParameters({ url: required(kind, { means: 'Where to', ...more }) }).schema.safeParse({
      url: 'https://canary.example/wren',
    }).error?.issues[0]?.message;
  expect(saysOf({})).toContain('wren');
  expect(saysOf({ isSecret: true })).toBe('is not known: it must be one that is known');
  expect(endpoints.sendChat.query.message.isSecret).toBe(true);
});
