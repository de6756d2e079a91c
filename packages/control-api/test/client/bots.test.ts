import type { AddressInfo } from 'node:net';
import { type Farm, steward } from '@steward/client';
import { eventually } from '@steward/testing/eventually';
import { expect, it } from 'vitest';
import { openApi, type StageOptions, testKey } from '../api/stage/open-api.ts';
import { said } from '../events/stage/stream-stage.ts';

/** The service, listening, with the operator at a client. */
async function served(options: StageOptions = {}) {
  const api = await openApi({ key: testKey, ...options });
  using _client = await api.listen();
  const { port } = api.app.server.address() as AddressInfo;
  const farmBy = (key: string): Farm => steward({ url: `http://127.0.0.1:${port}`, key, retries: 0 });
  return { api, farmBy, operator: farmBy(testKey), [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

it('a bot whose key is revoked hears what came before, and then why it hears no more', async () => {
  await using stage = await served();
  const { secret = '' } = await stage.operator.createKey({ name: 'bot', scopes: 'chat' });
  const events = stage.farmBy(secret).events({ topics: ['chat'], after: stage.api.bridge.events.head });
  stage.api.bridge.events.append(said('good morning'));
  expect(await events.next()).toMatchObject({ value: { type: 'chat.said', data: { playerId: 5512n } } });
  // Looked at from before it comes: it may come before the revocation is answered.
  const end = expect(events.next()).rejects.toMatchObject({
    name: 'StewardError',
    code: 'key-ended',
    status: 401,
  });
  await stage.operator.revokeKey({ name: 'bot' });
  await end;
});

it('a bot is told at once that its key is wrong, or not good for a topic, or for speaking', async () => {
  await using stage = await served();
  const { secret = '' } = await stage.operator.createKey({ name: 'ears', scopes: 'read' });
  const ears = stage.farmBy(secret);
  await expect(stage.farmBy('wr0ng').events().next()).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(ears.events({ topics: ['webhooks'] }).next()).rejects.toMatchObject({
    code: 'insufficient-scope',
  });
  await expect(ears.events({ after: 'nowhere' }).next()).rejects.toMatchObject({ code: 'invalid-parameter' });
  await expect(ears.chat.say('Robin', 'hello')).rejects.toMatchObject({ code: 'insufficient-scope' });
  expect(stage.api.farm.said).toEqual([]);
});

it('a line has its receipt: shown, cut, with nothing to show', async () => {
  await using stage = await served();
  const { chat } = stage.operator;
  const delivered = { status: 'delivered', operationId: expect.any(String) };
  expect(await chat.say('Robin', 'good morning')).toEqual(delivered);
  expect(await chat.say('Robin', 'a'.repeat(500))).toEqual({ ...delivered, truncated: true, length: 450 });
  expect(await chat.say('Robin', ' ')).toEqual({
    status: 'refused',
    reason: expect.stringContaining('message'),
  });
  expect(stage.api.farm.said).toHaveLength(2);
});

it('a line is refused while there is no game, and unknown where the game says no more', async () => {
  await using away = await served({ game: false });
  expect(await away.operator.chat.say('Robin', 'hello')).toMatchObject({ status: 'refused' });
  await using stage = await served();
  const { farm, clock } = stage.api;
  farm.mood = 'claims-and-is-silent';
  const receipt = stage.operator.chat.say('Robin', 'hello');
  await eventually(async () => farm.held[0], { missing: () => `the farm has heard ${farm.heard}` });
  clock.advance(10_000);
  expect(await receipt).toMatchObject({ status: 'unknown', operationId: expect.any(String) });
});
