import { PassThrough } from 'node:stream';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import type { Posted } from '../../src/webhooks/sending.ts';
import { openApi, testKey } from '../api/stage/open-api.ts';
import { settled } from '../game/stage/stage.ts';
import { said } from './stage/hook-story.ts';

const token = 'canary-jackdaw-of-the-url';

it('no URL and no secret of a webhook stands in the log, the audit, an error, an operation, a metric, a list, an event or a retry', async () => {
  using directory = temporaryDirectory();
  const log = new PassThrough();
  const seen: string[] = [];
  const secrets: string[] = [token];
  let answer: Posted = { kind: 'answered', status: 500, headers: {}, body: token };
  await using api = await openApi({
    key: testKey,
    directory: directory.path,
    log,
    post: async () => answer,
  });
  api.watch();
  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, headers = {}) => {
    const { body, headers: given } = await api.ask(method, url, { headers });
    seen.push(body, JSON.stringify(given));
  };
  const about = `url=https://hooks.example/${token}/1&topics=chat,webhooks`;
  for (const template of ['standard', 'discord', 'slack', 'ntfy']) {
    const create = `/webhooks?${about}&name=${template}&template=${template}`;
    const headers = { 'idempotency-key': template };
    const made = await api.ask('POST', create, { headers });
    expect(made.statusCode).toBe(200);
    if (template === 'standard') secrets.push(String(made.exact['secret']));
    await ask('POST', create, headers);
    await ask('POST', `${create}2`, headers);
    await ask('POST', create);
    await ask('POST', `/webhooks/test?name=${template}`);
  }
  await ask('POST', `/webhooks?${about}&url=https://hooks.example/${token}`);
  for (const url of [
    `https://10.0.0.7/${token}`,
    `http://hooks.example/${token}`,
    `https://ann:${token}@hooks.example/`,
    `https://hooks.example/${token}%23${token}`,
    `ftp://hooks.example/${token}`,
    token,
    `https://${token}${'x'.repeat(2_000)}`,
  ])
    await ask('POST', `/webhooks?name=x&topics=chat&url=${encodeURIComponent(url)}`);
  const outcomes: readonly Posted[] = [
    { kind: 'answered', status: 404, headers: { location: token, 'retry-after': token }, body: token },
    { kind: 'answered', status: 410, headers: {}, body: token },
  ];
  for (const next of outcomes) {
    answer = next;
    api.bridge.events.append(said('hello'));
    for (let minutes = 0; minutes < 30; minutes += 1) {
      api.clock.advance(60_000);
      await settled();
    }
  }
  for (const path of [
    '/webhooks',
    '/webhooks/deliveries',
    '/audit?limit=1000',
    '/operations?limit=100',
    '/metrics',
    '/events?limit=100',
    '/health/ready',
  ])
    await ask('GET', path);
  for (const step of ['resume', 'test']) await ask('POST', `/webhooks/${step}?name=standard`);
  await ask('DELETE', '/webhooks?name=standard');
  seen.push(String(log.read()));
  const told = seen.join('\n');
  expect(told).toContain('webhook made');
  expect(told).toContain('webhooks.switchedOff');
  expect(told).toContain('"givenUp"');
  expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
});
