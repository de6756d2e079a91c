import { newKeyName } from '@steward/shared/api/key-parameters';
import { ManualClock } from '@steward/testing/manual-clock';
import { describe, expect, it } from 'vitest';
import { Refusals, type Refused } from '../../src/audit/refusals.ts';
import { handedOver } from '../api/stage/handed-over.ts';
import { openApi, testKey } from '../api/stage/open-api.ts';
import { Client } from '../chat/stage/client.ts';
import { eventually, linesOf } from './stage/lines.ts';

const minuteMs = 60_000;
const wrongKeys = { actor: 'nobody', action: 'authenticate', says: 'wrong key', outcome: 'denied' };

function counted() {
  const told: (Refused & { readonly count: number })[] = [];
  const clock = new ManualClock();
  const refusals = new Refusals(clock, (refused, count) => told.push({ ...refused, count }));
  return { told, clock, refusals };
}

describe('a flood', () => {
  it('is one line at once, and then one a minute with its count, until a minute without', () => {
    const { told, clock, refusals } = counted();
    const counts = () => told.splice(0).map(({ count }) => count);
    for (let key = 0; key < 1_000; key += 1) refusals.wrongKey('192.0.2.7');
    expect(counts()).toEqual([1]);
    clock.advance(minuteMs);
    expect(counts()).toEqual([999]);
    refusals.wrongKey('192.0.2.7');
    clock.advance(minuteMs);
    expect(counts()).toEqual([1]);
    clock.advance(10 * minuteMs);
    expect(counts()).toEqual([]);
    refusals.wrongKey('192.0.2.7');
    expect(counts()).toEqual([1]);
  });

  it('is told apart by who, from where and what', () => {
    const { told, refusals } = counted();
    const refused = { actor: 'bot', keyId: 'key_1', address: '192.0.2.7', action: 'setTime', says: '' };
    for (const one of [refused, { ...refused, keyId: 'key_2' }, { ...refused, address: '::1' }, refused])
      refusals.came(one);
    refusals.came({ ...refused, action: 'deleteFarmhand' });
    expect(told).toHaveLength(4);
  });

  it('from everywhere at once is a bounded number of lines, and none is left out of their count', () => {
    const { told, clock, refusals } = counted();
    const addresses = 10_000;
    for (let round = 0; round < 2; round += 1)
      for (let address = 0; address < addresses; address += 1) refusals.wrongKey(`192.0.2.${address}`);
    clock.advance(minuteMs);
    expect(told.length).toBeLessThan(200);
    expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(2 * addresses);
    expect(told.filter(({ actor }) => actor === 'several')).toEqual([
      { actor: 'several', action: 'authenticate', says: 'wrong key', count: 1 },
      expect.objectContaining({ actor: 'several', count: 2 * (addresses - 50) - 1 }),
    ]);
  });

  it('is told of nobody whose name a key could have', () => {
    const { told, refusals } = counted();
    for (let address = 0; address < 100; address += 1) refusals.wrongKey(`192.0.2.${address}`);
    const actors = [...new Set(told.map(({ actor }) => actor))];
    expect(actors).toHaveLength(2);
    expect(actors.map((actor) => newKeyName.parse(actor).ok)).toEqual([false, false]);
  });

  it('that is counted when the service stops is told then', () => {
    const { told, refusals } = counted();
    for (let key = 0; key < 3; key += 1) refusals.wrongKey('::1');
    refusals.close();
    expect(told.map(({ count }) => count)).toEqual([1, 2]);
  });
});

describe('in the audit', () => {
  it('stand wrong keys by whichever door, counted', async () => {
    await using api = await openApi({ key: testKey });
    const remoteAddress = '192.0.2.7';
    // What is late is written once the thread runs, as it does soon after a start.
    await api.ask('POST', '/time?value=700');
    for (let tried = 0; tried < 4; tried += 1)
      await api.ask('GET', '/status', { key: 'wrong', remoteAddress });
    await api.ask('GET', '/status', { key: null, remoteAddress });
    const { port } = await api.listen();
    const client = await Client.open(`ws://127.0.0.1:${port}/ws`);
    client.send({ type: 'auth', payload: { token: 'wrong' } });
    await client.closed;
    const first = { ...wrongKeys, address: remoteAddress, count: 1 };
    const second = { ...wrongKeys, address: '127.0.0.1', count: 1 };
    await eventually(api, 'action=authenticate', [second, first]);
    api.clock.advance(minuteMs);
    await eventually(api, 'action=authenticate', [{ ...first, count: 3 }, second, first]);
  });

  it('stands who tried what with a key that is not good for it: reads, writes, settings and messages of /ws', async () => {
    await using api = await openApi({ key: testKey });
    const make = async (name: string, scopes: string) =>
      String((await api.ask('POST', `/keys?name=${name}&scopes=${scopes}`)).exact['secret']);
    const reader = await make('reader', 'read');
    const runner = await make('runner', 'operate');
    for (let tried = 0; tried < 3; tried += 1)
      expect((await api.ask('DELETE', '/farmhands?name=Bob', { key: reader })).statusCode).toBe(403);
    await api.ask('GET', '/audit', { key: reader });
    await api.ask('POST', '/settings?allowIpConnections=true', { key: runner });
    const { port } = await api.listen();
    for (const [token, wanted] of [
      [reader, 'chat_sent'],
      [runner, 'auth_failed'],
    ] as const) {
      const client = await Client.open(`ws://127.0.0.1:${port}/ws`);
      client.send({ type: 'auth', payload: { token } });
      if (token === reader) {
        await client.next('auth_success');
        client.send({ type: 'chat_send', payload: { author: 'Robin', message: 'hello', id: '1' } });
      }
      await client.next(wanted);
    }
    const denied = { outcome: 'denied', keyId: expect.stringMatching(/^key_/), count: 1 };
    await eventually(api, 'outcome=denied', [
      { ...denied, actor: 'runner', action: 'openWebSocket' },
      { ...denied, actor: 'reader', action: 'sendChat', says: 'line written in the game' },
      { ...denied, actor: 'runner', action: 'changeSettings' },
      { ...denied, actor: 'reader', action: 'getAudit' },
      { ...denied, actor: 'reader', action: 'deleteFarmhand', says: 'farmhand deleted' },
    ]);
    api.clock.advance(minuteMs);
    await eventually(api, 'outcome=denied&limit=1', [{ action: 'deleteFarmhand', count: 2 }]);
  });
});

describe('a key that is revoked while its request runs', () => {
  it.each([
    ['applied', 'willing'],
    ['unknown', 'claims-and-is-silent'],
  ] as const)('has what became of it in the audit: %s', async (outcome, mood) => {
    await using api = await openApi({ key: testKey });
    const { exact } = await api.ask('POST', '/keys?name=bot&scopes=operate');
    api.farm.mood = mood;
    const asking = api.ask('POST', '/time?value=1200', { key: String(exact['secret']) });
    const revoking = api.ask('DELETE', '/keys?name=bot');
    await revoking;
    if (outcome === 'unknown') {
      await handedOver(api.farm);
      api.clock.advance(10_000);
    }
    await asking;
    const { id: keyId } = exact['key'] as { id: string };
    expect(await linesOf(api, 'actor=bot')).toMatchObject([{ action: 'setTime', keyId, outcome }]);
    expect(await linesOf(api, 'action=revokeKey')).toMatchObject([
      { actor: 'owner', outcome: 'applied', parameters: { name: 'bot' } },
    ]);
  });
});
